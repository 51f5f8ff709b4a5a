import {
  type JsonObject,
  type JsonValue,
  noteChangedCopy,
  runAtOnce,
  type Schema,
  setMember,
} from '@ashlar/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileTyped } from './typed-decode.ts';

const text: Schema = { type: 'string' };
const owner: Schema = { type: 'object', typeName: 'x.Owner', properties: { uid: text, name: text } };
const map = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
const codec = compileTyped({
  type: 'object',
  typeName: 'x.Thing',
  properties: {
    labels: map(text),
    amounts: map({ type: 'string', format: 'quantity' }),
    owners: { type: 'array', items: owner },
    owned: map(owner),
  },
});

const COUNT = 1_100;
const many = (make: (i: number) => JsonValue): [string, JsonValue][] =>
  Array.from({ length: COUNT }, (_, i) => [`k${i}`, make(i)]);
const owners = many((i) => ({ uid: `${i}`, name: 'n' }));

function outcome(value: JsonObject): string {
  const unknown: string[] = [];
  try {
    const decoded = runAtOnce(codec.decodeSteps(value, ({ path }) => unknown.push(path)));
    return JSON.stringify([decoded, unknown]);
  } catch (error) {
    return (error as Error).message;
  }
}

const FIRST = runAtOnce(
  codec.decodeSteps(
    {
      labels: Object.fromEntries(many(() => 'v')),
      amounts: Object.fromEntries(many(() => '1')),
      owners: owners.map(([, item]) => item),
      owned: Object.fromEntries(owners),
    },
    () => {},
  ),
);

/** A copy with other members, which is noted; those that become undefined are removed. */
function changed<T extends object>(
  original: T,
  changes: readonly (readonly [string, JsonValue | undefined])[],
): T {
  const copy: object = Array.isArray(original) ? original.slice() : { ...original };
  for (const [name, value] of changes) {
    if (value !== undefined) setMember(copy as Record<string, unknown>, name, value);
    else if (!Array.isArray(copy)) delete (copy as Record<string, unknown>)[name];
  }
  const names = changes.map(([name]) => name);
  const isReordered = new Set(names).size < names.length;
  noteChangedCopy(copy, { original, changed: new Set(names), isReordered });
  return copy as T;
}

const name = fc.oneof(
  fc.integer({ min: 0, max: COUNT - 1 }).map((i) => `k${i}`),
  fc.constantFrom('a', 'z', '12', '__proto__'),
);
const part = fc.constantFrom<JsonValue | undefined>(
  ...['w', '1000m', null, 7, { uid: 'u' }, { name: 'n', uid: 'u' }, { uid: 1 }, { other: 1 }, []],
  Array.from({ length: 1_100 }, () => 'v'),
  undefined,
);
const changes = fc.array(fc.tuple(name, part), { maxLength: 3 });
const items = fc.array(fc.tuple(fc.integer({ min: 0, max: COUNT - 1 }).map(String), part), { maxLength: 3 });

it('what was changed a little since it was decoded is decoded as if it were new', () => {
  fc.assert(
    fc.property(changes, changes, items, changes, (labels, amounts, owning, owned) => {
      const first = FIRST as Record<'labels' | 'amounts' | 'owners' | 'owned', JsonObject>;
      const next: JsonObject = {
        labels: changed(first.labels, labels),
        amounts: changed(first.amounts, amounts),
        owners: changed(first.owners, owning),
        owned: changed(first.owned, owned),
      };
      const expected = outcome(JSON.parse(JSON.stringify(next)) as JsonObject);
      expect(outcome(next)).toBe(expected);
      // the next one that is changed is one that was changed
      expect(outcome({ ...next, labels: changed(next.labels as JsonObject, [['k1', 'w']]) })).toBe(
        outcome(
          JSON.parse(
            JSON.stringify({ ...next, labels: { ...(next.labels as JsonObject), k1: 'w' } }),
          ) as JsonObject,
        ),
      );
    }),
    { numRuns: 40 },
  );
});

it('shares a map of which no member was decoded to another', () => {
  const labels = changed(FIRST.labels as JsonObject, [['k5', 'w']]);
  expect(runAtOnce(codec.decodeSteps({ labels }, () => {})).labels).toBe(labels);
});

it('has no map of which all members were removed', () => {
  const removed = many(() => null).map(([key]) => [key, undefined] as const);
  const labels = changed(FIRST.labels as JsonObject, removed);
  expect(outcome({ labels })).toBe('[{},[]]');
});
