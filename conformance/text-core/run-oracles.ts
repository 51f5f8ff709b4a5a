import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseResult } from '../suite.ts';

/** One line of an oracle: input and output. */
export interface OracleCase {
  readonly id: string;
  readonly suite: string;
  // biome-ignore lint/suspicious/noExplicitAny: every suite has its own fields
  readonly [field: string]: any;
}

/** Inputs that the cases of a suite share, by the name of the suite that carries them. */
export type SharedCases = ReadonlyMap<string, OracleCase>;

/** How the cases of a suite are run. */
export interface CaseRunner {
  /** Fields of a case that are input; all others are expected. */
  readonly inputs: readonly string[];
  /** Unordered lists of errors. */
  readonly unordered?: boolean;
  answer(test: OracleCase, shared: SharedCases): Record<string, unknown>;
}

/** Runs the cases of all files `oracles/NAME*.jsonl` whose suite is known here; other suites are elsewhere. */
export async function* runOracles(
  dataDirectory: string,
  name: string,
  checks: Readonly<Record<string, CaseRunner>>,
): AsyncIterable<CaseResult> {
  const directory = join(dataDirectory, 'oracles');
  const shared = new Map<string, OracleCase>();
  for (const file of readdirSync(directory).sort()) {
    if (!file.startsWith(name) || !file.endsWith('.jsonl')) continue;
    const lines = readFileSync(join(directory, file), 'utf8').split('\n').filter(Boolean);
    const cases = lines.slice(1).map((line) => JSON.parse(line) as OracleCase);
    for (const test of cases) shared.set(test.suite, test);
    for (const test of cases) {
      const runCase = Object.hasOwn(checks, test.suite) ? checks[test.suite] : undefined;
      if (runCase) yield resultOf(test, runCase, shared);
    }
  }
}

function resultOf(test: OracleCase, runCase: CaseRunner, shared: SharedCases): CaseResult {
  const { id, suite } = test;
  const input = pick(test, (field) => runCase.inputs.includes(field));
  const wanted = pick(
    test,
    (field) => field !== 'id' && field !== 'suite' && !runCase.inputs.includes(field),
  );
  let actual: Record<string, unknown>;
  try {
    actual = runCase.answer(test, shared);
  } catch (error) {
    actual = { thrown: String(error) };
  }
  const expected = clean(wanted, runCase.unordered);
  const given = clean(actual, runCase.unordered);
  if (fits(expected, given)) return { id, suite, outcome: 'passed' };
  return { id, suite, outcome: 'failed', input, expected, actual: given };
}

function pick(test: OracleCase, wanted: (field: string) => boolean): Record<string, unknown> {
  return Object.fromEntries(Object.entries(test).filter(([field]) => wanted(field)));
}

/** Absent and null errors are equal. */
function clean(fields: Record<string, unknown>, unordered = false): Record<string, unknown> {
  const present = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && !(name === 'error' && value === null),
  );
  return Object.fromEntries(
    present.map(([name, value]) => [name, unordered && Array.isArray(value) ? [...value].sort() : value]),
  );
}

/** Whether a result is the expected one; `<dump>` stands for a value whose printed form is unspecified. */
function fits(expected: unknown, actual: unknown): boolean {
  if (typeof expected === 'string' && typeof actual === 'string') return textFits(expected, actual);
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) {
    return Object.is(expected, actual);
  }
  const names = Object.keys(expected);
  return (
    Array.isArray(expected) === Array.isArray(actual) &&
    names.length === Object.keys(actual).length &&
    names.every(
      (name) => Object.hasOwn(actual, name) && fits(Reflect.get(expected, name), Reflect.get(actual, name)),
    )
  );
}

function textFits(expected: string, actual: string): boolean {
  if (expected === actual) return true;
  const [head = '', ...rest] = expected.split('<dump>');
  if (rest.length === 0 || !actual.startsWith(head)) return false;
  return rest.length === 1 && actual.length >= expected.length - 6 && actual.endsWith(rest[0] as string);
}

/** The result of a function that may throw, or the message of its error. */
export function orError(answer: () => Record<string, unknown>, name = 'error'): Record<string, unknown> {
  try {
    return answer();
  } catch (error) {
    return { [name]: (error as Error).message };
  }
}
