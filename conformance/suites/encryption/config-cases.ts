// Encryption configuration files, compared with the reference's own parser and validation (oracles/encryption*.jsonl).
import { durationText } from '@ashlar/core';
import type { CaseResult } from '../../suite.ts';
import type { OracleCase } from '../codec/oracle.ts';
import { encryptionOf } from './under-test.ts';

/** Compares one case; undefined if it is of another suite. */
export function runConfigCase(entry: OracleCase): CaseResult | undefined {
  if (entry.suite !== 'config' && entry.suite !== 'config-random') return undefined;
  return runCase(entry as unknown as ConfigCase);
}

interface ConfigCase extends OracleCase {
  readonly config: string;
  readonly reload?: boolean;
  readonly accepted?: unknown;
  readonly error?: string;
}

function runCase(entry: ConfigCase): CaseResult {
  const { id, suite: suiteName, config, error, accepted } = entry;
  const actual = answer(entry);
  const expected = error === undefined ? JSON.stringify(accepted) : withoutPlace(error);
  const isSame = matches(expected, actual);
  if (isSame) return { id, suite: suiteName, outcome: 'passed' };
  return { id, suite: suiteName, outcome: 'failed', input: config, expected, actual };
}

function answer({ config, reload = false }: ConfigCase): string {
  try {
    const { encryption } = encryptionOf(config, { reload });
    return JSON.stringify({
      closeGracePeriod: durationText(encryption.closeGracePeriod),
      healthChecks: encryption.checks.map(({ name }) => name),
      resources: encryption.resources,
    });
  } catch (error) {
    return (error as Error).message;
  }
}

/** Paths of the reference's own source are ignored. */
const withoutPlace = (text: string): string => text.replace(/ in scheme "[^"]*"$/, '');

/** Values in the reference's own notation are ignored. */
function matches(expected: string, actual: string): boolean {
  let at = 0;
  const parts = expected.split('<dump>');
  for (const [index, part] of parts.entries()) {
    const found =
      index === parts.length - 1 && index > 0 ? actual.length - part.length : actual.indexOf(part, at);
    if (found < at || !actual.startsWith(part, found) || (index === 0 && found !== 0)) return false;
    at = found + part.length;
  }
  return at === actual.length;
}
