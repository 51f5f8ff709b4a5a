// Which requests a rule of admission matches, and errors of authorization configurations
// (oracles/access*.jsonl).
import { statSync } from 'node:fs';
import { type AdmissionOperation, type AdmissionRule, admissionRuleMatches } from '@ashlar/admission';
import { InvalidAuthorizationError, parseAuthorizationConfiguration } from '@ashlar/authz';
import { fieldErrorText, type JsonValue, jsonEqual, kubernetesVocabulary } from '@ashlar/core';
import type { CaseResult, Suite } from '../suite.ts';
import { readOracle } from './codec/oracle.ts';

interface Case {
  readonly id: string;
  readonly suite: string;
  readonly rule: AdmissionRule;
  readonly requests: readonly {
    readonly operation: AdmissionOperation;
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly subresource: string;
    readonly namespace: string;
    readonly matches: boolean;
  }[];
  readonly config: string;
  readonly errors: readonly string[];
}

export const suite: Suite = {
  name: 'oracles/access',
  async *run(dataDirectory) {
    for (const entry of readOracle(dataDirectory, 'access')) {
      const runCase = CHECKS[entry.suite];
      if (runCase) yield result(entry as unknown as Case, runCase(entry as unknown as Case));
    }
  },
};

interface Answers {
  readonly expected: unknown;
  readonly actual: unknown;
}

const CHECKS: Readonly<Record<string, (entry: Case) => Answers>> = {
  'admission-rule': ({ rule, requests }) => ({
    expected: requests.map(({ matches }) => matches),
    actual: requests.map(({ group, version, resource, ...request }) =>
      admissionRuleMatches(rule, { ...request, resource: { group, version, resource } }),
    ),
  }),
  'authorization-config': ({ config, errors }) => ({ expected: errors, actual: errorsOf(config) }),
};

function errorsOf(config: string): readonly string[] {
  try {
    parseAuthorizationConfiguration(config, { vocabulary: kubernetesVocabulary, fileProblem });
    return [];
  } catch (error) {
    return InvalidAuthorizationError.is(error)
      ? error.errors.map((each) => withoutDumps(fieldErrorText(each)))
      : [(error as Error).message];
  }
}

/**
 * Objects in error texts are printed differently by every implementation; the oracle has a placeholder for
 * them.
 */
const withoutDumps = (text: string): string => text.replace(/value: \{.*?\}: /, 'value: <dump>: ');

function fileProblem(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return `error loading file: stat ${path}: no such file or directory`;
  return found.isFile() ? undefined : 'must be a regular file';
}

function result(entry: Case, { expected, actual }: Answers): CaseResult {
  const { id, suite: suiteName } = entry;
  if (jsonEqual(expected as JsonValue, actual as JsonValue))
    return { id, suite: suiteName, outcome: 'passed' };
  return { id, suite: suiteName, outcome: 'failed', input: entry, expected, actual };
}
