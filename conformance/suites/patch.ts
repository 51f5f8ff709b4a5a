import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonValue, jsonEqual } from '@ashlar/core';
import { applyJsonPatch, decodeJsonPatch, PatchError } from '@ashlar/patch';
import type { CaseResult, Suite } from '../suite.ts';

/** Patches against the answers of the upstream libraries (oracles/patch*.jsonl). */
export const suite: Suite = {
  name: 'oracles/patch',
  async *run(dataDirectory) {
    for (const entry of readCases(join(dataDirectory, 'oracles'))) yield judge(entry);
  },
};

interface Case {
  readonly id: string;
  readonly suite: string;
  readonly [field: string]: unknown;
}

type Answer = { readonly result: JsonValue } | { readonly error: string };

function* readCases(folder: string): Iterable<Case> {
  if (!existsSync(folder)) return;
  for (const file of readdirSync(folder).sort()) {
    if (!/^patch.*\.jsonl$/.test(file)) continue;
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const entry = line === '' ? undefined : (JSON.parse(line) as Case);
      if (entry?.suite) yield entry;
    }
  }
}

function judge(entry: Case): CaseResult {
  const { id, suite } = entry;
  if (isSyntaxError(entry.decodeError))
    return { id, suite, outcome: 'skipped', reason: 'no JSON: the decoder refuses it (oracles/decode)' };
  const judgeSuite = JUDGES[suite];
  if (!judgeSuite) return { id, suite, outcome: 'skipped', reason: `no judge for suite ${suite}` };
  const { expected, actual } = judgeSuite(entry);
  if (sameAnswer(expected, actual)) return { id, suite, outcome: 'passed' };
  return { id, suite, outcome: 'failed', input: entry, expected, actual };
}

function isSyntaxError(error: unknown): boolean {
  return typeof error === 'string' && !error.startsWith('json: cannot unmarshal');
}

function sameAnswer(expected: Answer, actual: Answer): boolean {
  if ('error' in expected || 'error' in actual)
    return 'error' in expected && 'error' in actual && expected.error === actual.error;
  return jsonEqual(expected.result, actual.result);
}

interface Judgement {
  readonly expected: Answer;
  readonly actual: Answer;
}

const JUDGES: Readonly<Record<string, (entry: Case) => Judgement>> = {
  jsonpatch: judgeJsonPatch,
  'jsonpatch-random': judgeJsonPatch,
};

function answer(action: () => JsonValue): Answer {
  try {
    return { result: action() };
  } catch (error) {
    if (error instanceof PatchError) return { error: error.message };
    throw error;
  }
}

function recorded(entry: Case): Answer {
  const error = entry.decodeError ?? entry.error;
  return typeof error === 'string' ? { error } : { result: readText(entry.result as string) };
}

function judgeJsonPatch(entry: Case): Judgement {
  const actual = answer(() =>
    applyJsonPatch(readText(entry.document as string), decodeJsonPatch(readText(entry.patch as string))),
  );
  const expected = recorded(entry);
  return followsRfc6902(entry, expected, actual) ? { expected: actual, actual } : { expected, actual };
}

/**
 * What RFC 6902 refuses and the library lets pass (semantics G1): `replace` of a missing key, `copy` from one, `add` and
 * `replace` without a value, a path without a leading slash. Whatever the library then makes of the rest of the patch, our
 * refusal is right (jsonpatch-8, -17, -46, -56 and many of jsonpatch-random).
 */
const REFUSALS: readonly RegExp[] = [
  /^replace operation does not apply: doc is missing key: .*: missing value$/,
  /^error in copy for from: '.*': missing value$/,
  /^(add|replace) operation, missing value field: missing value$/,
  /is missing (from |destination )?path: "?[^/"\n]/,
];

/** Numbers and strings that can be written otherwise: the library's `test` compares the texts (jsonpatch-62, -71). */
const OTHER_SPELLING = /\\u|\d\.\d*0\b|\d[eE][+-]?\d|\.0+\b/;

function followsRfc6902(entry: Case, expected: Answer, actual: Answer): boolean {
  if ('error' in actual && REFUSALS.some((refusal) => refusal.test(actual.error))) return true;
  return (
    'error' in expected &&
    /^testing value .* failed: test failed$/.test(expected.error) &&
    OTHER_SPELLING.test(`${entry.document}${entry.patch}`)
  );
}

/** A text as JSON; integers that a double cannot hold become bigint, as the codec reads them. */
function readText(text: string): JsonValue {
  const marked = text.replace(
    /("(?:[^"\\]|\\.)*")|(-?\d{16,})(?![\d.eE])/g,
    (_, string, integer) => string ?? `"\\u0001${integer}"`,
  );
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith('\u0001') ? BigInt(value.slice(1)) : value,
  );
}
