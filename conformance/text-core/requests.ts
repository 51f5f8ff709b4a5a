import {
  decodeContinueKey,
  encodeContinueKey,
  fieldErrorText,
  kubernetesVocabulary,
  validateDeleteOptions,
  validatePatchOptions,
  valueAtPointer,
} from '@ashlar/core';
import { type Judge, orError } from './judge.ts';

const continueEncode: Judge = {
  inputs: ['key', 'prefix', 'resourceVersion'],
  answer: ({ key, prefix, resourceVersion }) =>
    orError(() => ({
      token: encodeContinueKey({ key, revision: BigInt(resourceVersion) }, prefix, kubernetesVocabulary),
    })),
};

const continueDecode: Judge = {
  inputs: ['token', 'prefix'],
  answer: ({ token, prefix }) =>
    orError(() => {
      const { key, revision } = decodeContinueKey(token, prefix, kubernetesVocabulary);
      return { key, resourceVersion: String(revision) };
    }),
};

const pointer: Judge = {
  inputs: ['document', 'pointer'],
  answer: (test) => {
    const answer = orError(() => ({ value: valueAtPointer(test.document, test.pointer) }), 'errorText');
    return 'errorText' in answer ? { error: true, ...answer } : answer;
  },
};

const deleteOptions: Judge = {
  inputs: ['options'],
  answer: ({ options }) => ({ errors: validateDeleteOptions(options).map(fieldErrorText) }),
};

const patchOptions: Judge = {
  inputs: ['options', 'type'],
  answer: ({ options, type }) => ({ errors: validatePatchOptions(options, type).map(fieldErrorText) }),
};

export const requestJudges: Readonly<Record<string, Judge>> = {
  'continue-encode': continueEncode,
  'continue-decode': continueDecode,
  pointer,
  'delete-options': deleteOptions,
  'patch-options': patchOptions,
};
