import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseResult } from '../../suite.ts';

/** One line of an oracle file. */
export interface OracleCase {
  readonly id: string;
  readonly suite: string;
  readonly [field: string]: unknown;
}

/** The cases of every file `oracles/AREA*.jsonl`, without the header lines. */
export function* readOracle(dataDirectory: string, area: string): Iterable<OracleCase> {
  const folder = join(dataDirectory, 'oracles');
  if (!existsSync(folder)) return;
  for (const file of readdirSync(folder).sort()) {
    if (!file.startsWith(area) || !file.endsWith('.jsonl')) continue;
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const entry = line === '' ? undefined : (JSON.parse(line) as OracleCase);
      if (entry?.suite) yield entry;
    }
  }
}

/** Passed if both are equal as JSON, with keys in any order. */
export function compare(entry: OracleCase, expected: unknown, actual: unknown): CaseResult {
  const { id, suite } = entry;
  if (canonical(expected) === canonical(actual)) return { id, suite, outcome: 'passed' };
  return { id, suite, outcome: 'failed', input: entry, expected, actual };
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint') return `${member}n`;
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  }) as string;
}

/** The result of a function, or the message of its error. */
export function answerOf<T>(run: () => T): T | { error: string } {
  try {
    return run();
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

export function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
