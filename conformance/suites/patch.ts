import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DecodeError, decodeJson, encodeYamlText } from '@ashlar/codec';
import { type JsonObject, type JsonValue, jsonEqual } from '@ashlar/core';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  createMergePatch,
  createThreeWayJsonMergePatch,
  createThreeWayMergePatch,
  createTwoWayMergePatch,
  decodeJsonPatch,
  PatchError,
} from '@ashlar/patch';
import { builtInSchema } from '../built-in-schemas.ts';
import type { CaseResult, Suite } from '../suite.ts';

/** Patches, compared with the reference's libraries (oracles/patch*.jsonl). */
export const suite: Suite = {
  name: 'oracles/patch',
  async *run(dataDirectory) {
    for (const entry of readCases(join(dataDirectory, 'oracles'))) yield runCase(entry);
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
      const entry = line === '' ? undefined : (readText(line) as unknown as Case);
      if (entry?.suite) yield entry;
    }
  }
}

function runCase(entry: Case): CaseResult {
  const { id, suite } = entry;
  const checkSuite = CHECKS[suite];
  if (!checkSuite) return { id, suite, outcome: 'skipped', reason: `no check for suite ${suite}` };
  const { expected, actual } = checkSuite(entry);
  if (sameAnswer(expected, actual)) return { id, suite, outcome: 'passed' };
  return { id, suite, outcome: 'failed', input: entry, expected, actual };
}

function sameAnswer(expected: Answer, actual: Answer): boolean {
  if ('error' in expected || 'error' in actual)
    return 'error' in expected && 'error' in actual && expected.error === actual.error;
  return jsonEqual(expected.result, actual.result);
}

interface CheckResult {
  readonly expected: Answer;
  readonly actual: Answer;
}

const CHECKS: Readonly<Record<string, (entry: Case) => CheckResult>> = {
  jsonpatch: checkJsonPatch,
  'jsonpatch-random': checkJsonPatch,
  merge: checkMerge,
  'merge-random': checkMerge,
  'merge-create': checkMergeCreate,
  'merge-three-way': checkMergeThreeWay,
  strategic: checkStrategic,
  'strategic-random': checkStrategic,
  'two-way': checkTwoWay,
  'three-way': checkThreeWay,
};

function answer(action: () => JsonValue): Answer {
  try {
    return { result: action() };
  } catch (error) {
    if (PatchError.is(error) || DecodeError.is(error)) return { error: error.message };
    throw error;
  }
}

const object = (entry: Case, field: string): JsonObject => (entry[field] ?? {}) as JsonObject;

function checkMerge(entry: Case): CheckResult {
  const actual = answer(() => {
    const document = textOr(entry.document as string, 'Invalid JSON Document');
    return applyMergePatch(document, textOr(entry.patch as string, 'Invalid JSON Patch'));
  });
  return { expected: recordedText(entry, 'result'), actual };
}

function checkMergeCreate(entry: Case): CheckResult {
  const actual = answer(() => createMergePatch(object(entry, 'original'), object(entry, 'modified')));
  return { expected: recordedText(entry, 'patch'), actual };
}

function checkMergeThreeWay(entry: Case): CheckResult {
  const actual = answer(() =>
    createThreeWayJsonMergePatch(
      object(entry, 'original'),
      object(entry, 'modified'),
      object(entry, 'current'),
    ),
  );
  return { expected: recordedText(entry, 'patch'), actual };
}

function checkStrategic(entry: Case): CheckResult {
  const schema = builtInSchema(entry.kind as string);
  const actual = answer(() =>
    applyStrategicMergePatch(object(entry, 'original'), object(entry, 'patch'), schema),
  );
  return { expected: recordedValue(entry, 'result', entry.error), actual };
}

/** The patch, and the result of applying it. */
function checkTwoWay(entry: Case): CheckResult {
  const schema = builtInSchema(entry.kind as string);
  const original = object(entry, 'original');
  const created = answer(() => createTwoWayMergePatch(original, object(entry, 'modified'), schema));
  return withApplication(entry, created, original);
}

function checkThreeWay(entry: Case): CheckResult {
  const schema = builtInSchema(entry.kind as string);
  const current = object(entry, 'current');
  const created = answer(() =>
    createThreeWayMergePatch(object(entry, 'original'), object(entry, 'modified'), current, schema, {
      overwrite: entry.overwrite === true,
      print: encodeYamlText,
    }),
  );
  return withApplication(entry, created, current);
}

function withApplication(entry: Case, created: Answer, target: JsonObject): CheckResult {
  const expected = recordedValue(entry, 'patch', entry.error);
  if (!sameAnswer(expected, created) || !('result' in created)) return { expected, actual: created };
  const actual = answer(() =>
    applyStrategicMergePatch(target, created.result as JsonObject, builtInSchema(entry.kind as string)),
  );
  return { expected: recordedValue(entry, 'result', entry.applyError), actual };
}

function recordedValue(entry: Case, field: string, error: unknown): Answer {
  return typeof error === 'string' ? { error } : { result: (entry[field] ?? null) as JsonValue };
}

function recordedText(entry: Case, field: string): Answer {
  const error = entry.decodeError ?? entry.error;
  return typeof error === 'string' ? { error } : { result: readText(entry[field] as string) };
}

function textOr(text: string, failure: string): JsonValue {
  try {
    return readText(text);
  } catch (error) {
    if (DecodeError.is(error)) throw new DecodeError(failure);
    throw error;
  }
}

function checkJsonPatch(entry: Case): CheckResult {
  const actual = answer(() =>
    applyJsonPatch(readText(entry.document as string), decodeJsonPatch(readText(entry.patch as string))),
  );
  const expected = recordedText(entry, 'result');
  return followsRfc6902(entry, expected, actual) ? { expected: actual, actual } : { expected, actual };
}

/**
 * Operations that RFC 6902 rejects and the library accepts (semantics/patches#json-patch): `replace` of a
 * missing key, `copy` from one, `add` and `replace` without a value, a path without a leading slash. Whatever
 * the library's result is, our rejection is right (jsonpatch-8, -17, -46, -56 and many of jsonpatch-random).
 */
const REFUSALS: readonly RegExp[] = [
  /^replace operation does not apply: doc is missing key: .*: missing value$/,
  /^error in copy for from: '.*': missing value$/,
  /^(add|replace) operation, missing value field: missing value$/,
  /is missing (from |destination )?path: "?[^/"\n]/,
];

/**
 * Numbers and strings that can be spelled differently, and integers of more than 64 bits, which are doubles
 * (ADR 0001): the library's `test` compares the texts (jsonpatch-62, -71, -72).
 */
const OTHER_SPELLING = /\\u|\d\.\d*0\b|\d[eE][+-]?\d|\d{19,}/;

function followsRfc6902(entry: Case, expected: Answer, actual: Answer): boolean {
  if ('error' in actual && REFUSALS.some((refusal) => refusal.test(actual.error))) return true;
  return (
    'error' in expected &&
    /^testing value .* failed: test failed$/.test(expected.error) &&
    OTHER_SPELLING.test(`${entry.document}${entry.patch}`)
  );
}

const encoder = new TextEncoder();

function readText(text: string): JsonValue {
  return decodeJson(encoder.encode(text)).value;
}
