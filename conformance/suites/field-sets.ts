import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DecodeError, decodeJson } from '@ashlar/codec';
import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import {
  comparePathElements,
  compareValues,
  decodeFieldSet,
  encodeFieldSet,
  type FieldSet,
  FieldSetError,
  type PathElement,
  parsePathElement,
  printFieldPath,
  printPathElement,
  valuesEqual,
} from '@ashlar/field-manager';
import type { CaseResult, Suite } from '../suite.ts';

/** Field sets, compared with the reference's library (oracles/fieldsv1*.jsonl), byte for byte. */
export const suite: Suite = {
  name: 'oracles/fieldsv1',
  async *run(dataDirectory) {
    const folder = join(dataDirectory, 'oracles');
    if (!existsSync(folder)) return;
    for (const file of readdirSync(folder).sort()) {
      if (!/^fieldsv1.*\.jsonl$/.test(file)) continue;
      for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
        const entry = line === '' ? undefined : (JSON.parse(line) as Case);
        if (entry?.suite) yield runCase(entry);
      }
    }
  },
};

interface Case {
  readonly id: string;
  readonly suite: string;
  readonly [field: string]: unknown;
}

type Answers = Readonly<Record<string, unknown>>;

const CHECKS: Readonly<Record<string, (entry: Case) => Answers>> = {
  encode: (entry) => describeSet(readSet(entry.set as string), ['set', 'leaves', 'paths', 'size']),
  sets: (entry) => combine(readSet(entry.a as string), readSet(entry.b as string)),
  decode,
  'decode-edited': decode,
  order: (entry) => order(element(entry.a as string), element(entry.b as string)),
  values: (entry) => compare(plain(entry.a as JsonValue), plain(entry.b as JsonValue)),
};

function runCase(entry: Case): CaseResult {
  const { id, suite } = entry;
  if (typeof entry.text === 'string' && entry.text.includes('\ufffd'))
    return { id, suite, outcome: 'skipped', reason: 'the recorded text has lost its invalid UTF-8' };
  const answer = CHECKS[suite]?.(entry);
  if (!answer) return { id, suite, outcome: 'skipped', reason: `no check for suite ${suite}` };
  const wrong = Object.keys(answer).filter(
    (key) => JSON.stringify(answer[key]) !== JSON.stringify(entry[key]),
  );
  if (wrong.length === 0) return { id, suite, outcome: 'passed' };
  return {
    id,
    suite,
    outcome: 'failed',
    input: entry,
    expected: pick(entry, wrong),
    actual: pick(answer, wrong),
  };
}

const pick = (from: Answers, keys: readonly string[]): Answers =>
  Object.fromEntries(keys.map((key) => [key, from[key]]));

const textOf = (set: FieldSet): string => JSON.stringify(encodeFieldSet(set));

function describeSet(set: FieldSet, keys: readonly string[]): Answers {
  const paths = [...set.paths()].map(printFieldPath);
  return pick({ set: textOf(set), leaves: textOf(set.leaves()), paths, size: set.size }, keys);
}

function combine(a: FieldSet, b: FieldSet): Answers {
  return {
    union: textOf(a.union(b)),
    intersection: textOf(a.intersection(b)),
    difference: textOf(a.difference(b)),
    recursiveDifference: textOf(a.recursiveDifference(b)),
    equals: a.equals(b),
  };
}

function decode(entry: Case): Answers {
  try {
    return { ...describeSet(readSet(entry.text as string), ['set', 'paths']), error: undefined };
  } catch (error) {
    if (DecodeError.is(error) || FieldSetError.is(error)) return { error: true };
    throw error;
  }
}

/** Repeated members are merged, which the decoder leaves to its caller. */
function readSet(text: string): FieldSet {
  const bytes = new TextEncoder().encode(text);
  return decodeFieldSet(decodeJson(bytes, { resolveDuplicate: addUp }).value);
}

function addUp(earlier: JsonValue, later: JsonValue): JsonValue {
  return { ...asMember(earlier), ...asMember(later) };
}

const asMember = (value: JsonValue): JsonObject =>
  isJsonObject(value) && Object.keys(value).length > 0 ? value : { '.': {} };

function element(text: string): PathElement {
  const parsed = parsePathElement(text);
  if (!parsed) throw new Error(`unknown kind of path element: ${text}`);
  return parsed;
}

function order(a: PathElement, b: PathElement): Answers {
  return { compare: comparePathElements(a, b), printA: printPathElement(a), printB: printPathElement(b) };
}

function compare(a: JsonValue, b: JsonValue): Answers {
  return { compare: compareValues(a, b), equals: valuesEqual(a, b) };
}

/** `{"$float":1}` is a decimal. */
function plain(value: JsonValue): JsonValue {
  return isJsonObject(value) && value.$float !== undefined ? value.$float : value;
}
