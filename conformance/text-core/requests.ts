import {
  fieldErrorText,
  kubernetesVocabulary,
  validateDeleteOptions,
  validatePatchOptions,
  valueAtPointer,
} from '@ashlar/core';
import { decodeContinueKey, encodeContinueKey } from '@ashlar/registry';
import { type CaseRunner, orError } from './run-oracles.ts';

const continueEncode: CaseRunner = {
  inputs: ['key', 'prefix', 'resourceVersion'],
  answer: ({ key, prefix, resourceVersion }) =>
    orError(() => ({
      token: encodeContinueKey({ key, revision: BigInt(resourceVersion) }, prefix, kubernetesVocabulary),
    })),
};

const continueDecode: CaseRunner = {
  inputs: ['token', 'prefix'],
  answer: ({ token, prefix }) =>
    orError(() => {
      const { key, revision } = decodeContinueKey(token, prefix, kubernetesVocabulary);
      return { key, resourceVersion: String(revision) };
    }),
};

const pointer: CaseRunner = {
  inputs: ['document', 'pointer'],
  answer: (test) => {
    const answer = orError(() => ({ value: valueAtPointer(test.document, test.pointer) }), 'errorText');
    return 'errorText' in answer ? { error: true, ...answer } : answer;
  },
};

const deleteOptions: CaseRunner = {
  inputs: ['options'],
  answer: ({ options }) => ({ errors: validateDeleteOptions(options).map(fieldErrorText) }),
};

const patchOptions: CaseRunner = {
  inputs: ['options', 'type'],
  answer: ({ options, type }) => ({ errors: validatePatchOptions(options, type).map(fieldErrorText) }),
};

export const requestChecks: Readonly<Record<string, CaseRunner>> = {
  'continue-encode': continueEncode,
  'continue-decode': continueDecode,
  pointer,
  'delete-options': deleteOptions,
  'patch-options': patchOptions,
};
