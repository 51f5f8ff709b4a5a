import { changedCopyOf, type JsonObject, type JsonValue } from '@ashlar/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyJsonPatch } from './apply-json-patch.ts';
import { decodeJsonPatch } from './decode-json-patch.ts';

const COUNT = 70;
const part = (i: number): JsonValue => (i % 7 === 0 ? { z: i, a: i } : `v${i}`);
const map = (): JsonObject => Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [`k${i}`, part(i)]));
const DOCUMENT: JsonObject = {
  list: Array.from({ length: COUNT }, (_, i) => part(i)),
  map: map(),
  other: {},
};

const index = fc.integer({ min: -COUNT, max: COUNT }).map(String);
const name = fc.oneof(
  fc.integer({ min: 0, max: COUNT + 5 }).map((i) => `k${i}`),
  fc.constantFrom('a', '7', '__proto__', 'z'),
);
const inside = fc.constantFrom('', '', '', '/a', '/b');
const pointer = fc.oneof(
  fc.tuple(name, inside).map(([key, rest]) => `/map/${key}${rest}`),
  fc.tuple(index, inside).map(([at, rest]) => `/list/${at}${rest}`),
  fc.constantFrom('/list/-', '/map', '/list', '/other', '/other/a'),
);
const operation = fc.record({
  op: fc.constantFrom('add', 'add', 'replace', 'replace', 'remove', 'move', 'copy', 'test'),
  path: pointer,
  from: pointer,
  value: fc.constantFrom<JsonValue>('w', 1, { y: 1, b: [] }, []),
});
const patches = fc.array(fc.array(operation, { minLength: 1, maxLength: 4 }), { maxLength: 8 });

const copied = (value: JsonValue): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;

function outcome(document: JsonValue, operations: unknown): JsonValue | Error {
  try {
    // each has values of its own, as they are when they were parsed
    return applyJsonPatch(document, decodeJsonPatch(copied(operations as JsonValue)));
  } catch (error) {
    return error as Error;
  }
}

/** Checks that what is noted of a value is so. @returns whether anything is */
function isNoteTrue(value: JsonObject | readonly JsonValue[]): boolean {
  const copy = changedCopyOf(value);
  if (!copy) return false;
  const names = (of: object): string[] => Object.keys(of).filter((each) => !copy.changed.has(each));
  const original = copy.original as JsonObject;
  const known = copy.isReordered ? names(value).sort() : names(value);
  expect(known).toEqual(copy.isReordered ? names(original).sort() : names(original));
  for (const each of known) expect((value as JsonObject)[each]).toBe(original[each]);
  return true;
}

it('what was copied by an earlier patch is not put in order with its original', () => {
  const copied = outcome(DOCUMENT, [{ op: 'copy', from: '/map', path: '/list/-' }]) as JsonObject;
  const result = outcome(copied, [
    { op: 'add', path: '/map/b', value: 1 },
    { op: 'test', path: '/list/1', value: 'v1' },
  ]) as JsonObject;
  expect(Object.keys((result.list as JsonValue[]).at(-1) as JsonObject)).toEqual(Object.keys(map()));
  expect(Object.keys(result.map as JsonObject)).toEqual(['b', ...Object.keys(map()).sort()]);
});

it('patches that follow each other have the results of patches of new documents, and note what they change', () => {
  let noted = 0;
  fc.assert(
    fc.property(patches, (sequence) => {
      let document: JsonValue = DOCUMENT;
      for (const operations of sequence) {
        const result = outcome(document, operations);
        const expected = outcome(copied(document), operations);
        if (result instanceof Error) {
          expect((expected as Error).message).toBe(result.message);
          continue;
        }
        // with the order of their members
        expect(JSON.stringify(result)).toBe(JSON.stringify(expected));
        for (const each of Object.values(result as JsonObject))
          if (typeof each === 'object' && each !== null && isNoteTrue(each)) noted++;
        document = result;
      }
    }),
    { numRuns: 300 },
  );
  expect(noted).toBeGreaterThan(10);
});
