import { deepFreeze, type JsonObject, type JsonValue } from '@ashlar/core';
import fc from 'fast-check';
import { applyPatch, type Operation } from 'rfc6902';
import { expect, it } from 'vitest';
import { PatchError } from '../errors/patch-error.ts';
import { applyJsonPatch } from './apply-json-patch.ts';

const token = fc.constantFrom('a', 'b', 'c', 'list', '0', '1', '2', '-', 'x~1y', 'm~0n');
const path = fc
  .array(token, { minLength: 1, maxLength: 3 })
  .map((tokens) => tokens.map((part) => `/${part}`).join(''));
const value = fc.constantFrom<JsonValue>('x', 0, 1.5, true, { a: 1 }, ['y'], {}, []);
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path, value }),
  fc.record({ op: fc.constant('remove'), path }),
  fc.record({ op: fc.constant('copy'), path, from: path }),
  // a value must not be moved into itself (RFC 6902, section 4.4): what comes of it is a case of its own
  fc
    .record({ op: fc.constant('move'), path, from: path })
    .filter((move) => !move.path.startsWith(`${move.from}/`)),
) as fc.Arbitrary<JsonObject>;

const document: JsonObject = deepFreeze({
  a: { a: 1, b: [1, { c: 'x' }, ['y']], c: {} },
  b: [['x'], { a: 0 }, 'z'],
  c: 'text',
  list: [],
  'x/y': { 'm~n': 1 },
  'm~n': ['x'],
});

function applied(operations: readonly JsonObject[]): JsonValue | undefined {
  try {
    return applyJsonPatch(document, operations);
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

it('patches that apply equal another implementation of RFC 6902', () => {
  let compared = 0;
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1, maxLength: 4 }), (operations) => {
      const own = applied(operations);
      if (own === undefined) return;
      const other = structuredClone(document);
      const faults = applyPatch(other, structuredClone(operations) as unknown as Operation[]);
      expect([own, faults.find((fault) => fault !== null)]).toEqual([other, undefined]);
      compared++;
    }),
    { numRuns: 5000 },
  );
  expect(compared).toBeGreaterThan(100);
});
