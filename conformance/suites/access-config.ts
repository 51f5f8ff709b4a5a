// Authentication configuration files, compared with the reference's own parser and validation
// (oracles/access*.jsonl).
import { InvalidConfigurationError, parseAuthenticationConfiguration } from '@ashlar/authn';
import { fieldErrorText, kubernetesVocabulary } from '@ashlar/core';
import type { CaseResult, Suite } from '../suite.ts';
import { readOracle } from './codec/oracle.ts';

export const suite: Suite = {
  name: 'oracles/access',
  async *run(dataDirectory) {
    for (const entry of readOracle(dataDirectory, 'access'))
      if (entry.suite === 'authentication-config') yield runCase(entry as unknown as Case);
  },
};

interface Case {
  readonly id: string;
  readonly suite: string;
  readonly config: string;
  readonly disallowedIssuers?: readonly string[];
  readonly errors?: readonly string[];
  readonly decodeError?: string;
}

function runCase(entry: Case): CaseResult {
  const { id, suite: suiteName } = entry;
  const expected = entry.decodeError === undefined ? (entry.errors ?? []) : withoutPlace(entry.decodeError);
  const actual = answer(entry);
  if (isEqual(expected, actual)) return { id, suite: suiteName, outcome: 'passed' };
  return { id, suite: suiteName, outcome: 'failed', input: entry.config, expected, actual };
}

/** Every error of a valid configuration document; the one error of an invalid document. */
function answer({ config, disallowedIssuers = [] }: Case): readonly string[] | string {
  try {
    parseAuthenticationConfiguration(config, { vocabulary: kubernetesVocabulary, disallowedIssuers });
    return [];
  } catch (error) {
    if (InvalidConfigurationError.is(error)) return error.errors.map(fieldErrorText);
    return (error as Error).message;
  }
}

/** Paths of the reference's own source are ignored. */
const withoutPlace = (text: string): string => text.replace(/ in scheme "[^"]*"$/, '');

function isEqual(expected: readonly string[] | string, actual: readonly string[] | string): boolean {
  if (typeof expected === 'string' || typeof actual === 'string') return expected === actual;
  return expected.length === actual.length && expected.every((text, i) => isSame(text, actual[i] as string));
}

/** Values in the reference's own notation are ignored. */
function isSame(expected: string, actual: string): boolean {
  const [head = '', tail] = expected.split('<dump>');
  return tail === undefined ? expected === actual : actual.startsWith(head) && actual.endsWith(tail);
}
