import {
  type ApiObject,
  type JsonObject,
  type JsonValue,
  kubernetesVocabulary,
  type Schema,
} from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileKindFieldType } from '../typed/field-type.ts';
import { type ApplyOptions, FieldManager } from './field-manager.ts';

const text: Schema = { type: 'string' };
const texts: Schema = { type: 'object', additionalProperties: text };
const item: Schema = { type: 'object', properties: { name: text, value: text, labels: texts } };
const type = compileKindFieldType({
  type: 'object',
  properties: {
    data: texts,
    whole: { ...texts, mapType: 'atomic' },
    tags: { type: 'array', listType: 'set', items: text },
    items: { type: 'array', listType: 'map', listMapKeys: ['name'], items: item },
    open: { type: 'object', preserveUnknownFields: true },
  },
});

function manager(): FieldManager {
  return new FieldManager({
    kind: { group: '', version: 'v1', kind: 'Thing' },
    versions: { typeOf: (version) => (version === 'v1' ? type : undefined), convert: (object) => object },
    clock: { now: () => 0 },
    vocabulary: kubernetesVocabulary,
  });
}

const reread = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const thing = (content: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'thing', ...metadata },
  ...content,
});

/** Numbers below a prime, each once, shuffled. */
const scattered = (count: number): number[] =>
  Array.from({ length: count }, (_, i) => (i * 7919) % 1_000_003);
const map = (count: number, value = 'v'): JsonObject =>
  Object.fromEntries(scattered(count).map((i) => [`k${i}`, value]));
const items = (count: number, value = 'v'): JsonObject[] =>
  scattered(count).map((i) => ({ name: `i${i}`, value, labels: { a: value } }));
const words = (count: number): string[] => scattered(count).map((i) => `w${i}`);
const nested = (depth: number, value: JsonValue): JsonValue =>
  depth === 0 ? value : { a: nested(depth - 1, value) };

interface Result {
  readonly object: ApiObject | undefined;
  readonly error: unknown;
  readonly pauses: number;
}

interface Write {
  readonly manager: string;
  readonly content: JsonObject;
  readonly isApply?: boolean;
  readonly force?: boolean;
}

function write(
  live: ApiObject | undefined,
  { content, isApply, ...options }: Write,
  mayPause: boolean,
): Result {
  const fields = manager();
  const before = live && reread(live);
  const next = reread(content);
  const update = (): ApiObject =>
    ({ ...next, metadata: { ...before?.metadata, ...(next.metadata as JsonObject) } }) as never;
  try {
    if (!mayPause) {
      const object = isApply ? fields.apply(before, next, options) : fields.update(before, update(), options);
      return { object, error: undefined, pauses: 0 };
    }
    const steps = isApply
      ? fields.applySteps(before, next, options)
      : fields.updateSteps(before, update(), options);
    let pauses = 0;
    for (;;) {
      const { done, value } = steps.next();
      if (done) return { object: value as ApiObject, error: undefined, pauses };
      pauses++;
    }
  } catch (error) {
    return { object: undefined, error, pauses: 0 };
  }
}

const outcome = ({ object, error }: Result): string => (error ? String(error) : JSON.stringify(object));

function part<T>(values: readonly T[], retained: (index: number) => boolean): T[] {
  return values.filter((_, index) => retained(index));
}

/** Content above every limit of work without a pause. */
const content = fc
  .record({
    count: fc.integer({ min: 100, max: 700 }),
    value: fc.constantFrom('v', 'w'),
    every: fc.integer({ min: 1, max: 3 }),
    isReversed: fc.boolean(),
    kinds: fc.subarray(['data', 'whole', 'tags', 'items', 'open', 'deep'] as const),
  })
  .map(({ count, value, every, isReversed, kinds }): JsonObject => {
    const retained = (index: number): boolean => index % every === 0;
    const order = <T>(values: T[]): T[] => (isReversed ? values.reverse() : values);
    const all: JsonObject = {
      data: Object.fromEntries(part(Object.entries(map(count, value)), retained)),
      whole: map(count, value),
      tags: order(part(words(count), retained)),
      items: order(part(items(count, value), retained)),
      open: { list: words(count), map: { inner: map(count, value), value }, few: part(words(9), retained) },
      deep: null,
    };
    const chosen = Object.fromEntries(
      kinds.filter((kind) => kind !== 'deep').map((kind) => [kind, all[kind] as JsonValue]),
    );
    return kinds.includes('deep') ? { ...chosen, open: nested(200, map(count, value)) } : chosen;
  });

const writes = fc.array(
  fc.record({
    manager: fc.constantFrom('x', 'y', 'kubectl'),
    isApply: fc.boolean(),
    force: fc.boolean(),
    content: content.map((each) => thing(each)),
  }),
  { minLength: 1, maxLength: 5 },
);

describe('large objects', () => {
  it('have the same result with and without pauses', () => {
    fc.assert(
      fc.property(writes, (all) => {
        let live: ApiObject | undefined;
        for (const each of all) {
          const whole = write(live, each, false);
          expect(outcome(write(live, each, true))).toBe(outcome(whole));
          live = whole.object ?? live;
        }
      }),
      { numRuns: 30 },
    );
  });

  const sizes: readonly (readonly [string, (count: number, value: string) => JsonObject])[] = [
    ['a map', (count, value) => ({ data: map(count, value) })],
    ['a list map', (count, value) => ({ items: items(count, value) })],
    ['a set', (count) => ({ tags: words(count) })],
    ['nested maps', (count, value) => ({ open: nested(300, map(count, value)) })],
  ];
  it.each(sizes)('of %s take twice the steps if they are twice as large, and pause', (_, make) => {
    const steps = (count: number): number[] => {
      const live = write(
        undefined,
        { manager: 'one', content: thing(make(count, 'v')), isApply: true },
        false,
      ).object;
      const next = { content: thing(make(count, 'w')), isApply: true };
      return [
        { ...next, manager: 'one' },
        { ...next, manager: 'two', force: true },
        { manager: 'one', isApply: true, content: thing({}) },
        { manager: 'two', content: thing(make(count, 'w')) },
      ].map((each) => write(live, each, true).pauses);
    };
    const [once, twice] = [steps(4_000), steps(8_000)];
    for (const [index, pauses] of once.entries()) {
      expect(pauses).toBeGreaterThan(10);
      expect(twice[index]).toBeLessThan(2.5 * pauses);
    }
  });

  it('pause as often with managed fields', () => {
    const first = write(undefined, { manager: 'one', content: thing({ data: map(8_000) }) }, true);
    const managed = thing({ data: map(8_000, 'w') }, reread(first.object?.metadata) as never);
    const again = write(first.object, { manager: 'one', content: managed }, true);
    expect(again.pauses).toBeGreaterThan(1.5 * first.pauses);
  });

  it('hardly pause if they are small', () => {
    const small = { manager: 'one', content: thing({ items: items(20) }), isApply: true };
    const { object, pauses } = write(undefined, small, true);
    expect(pauses).toBeLessThan(2);
    expect(write(object, { ...small, content: thing({}) }, true).pauses).toBeLessThan(2);
  });
});

describe('sets and list maps', () => {
  const tooMany = 'sets and lists by key have more than 25000 items';
  const set = (count: number): JsonObject => thing({ tags: words(count) });

  it('have at most 25,000 items in total', () => {
    for (const isApply of [true, false]) {
      const refused = thing({ tags: words(12_501), items: items(12_500) });
      expect(outcome(write(undefined, { manager: 'one', content: refused, isApply }, true))).toContain(
        tooMany,
      );
      const accepted = write(undefined, { manager: 'one', content: set(25_000), isApply }, true).object;
      expect(ownedItems(accepted)).toBe(25_000);
    }
  });

  it('have at most as many after a merge', () => {
    const first = write(undefined, { manager: 'one', content: set(25_000), isApply: true }, true).object;
    const other = thing({ tags: ['another'] });
    const merged = write(first, { manager: 'two', content: other, isApply: true }, true);
    expect(outcome(merged)).toContain(tooMany);
  });

  it('have no limit if they are atomic', () => {
    const atomic = thing({ open: { list: words(30_000) } });
    expect(write(undefined, { manager: 'one', content: atomic, isApply: true }, true).error).toBeUndefined();
  });

  it('may shrink if they were too large before', () => {
    const before = thing({ tags: words(30_000) }, { managedFields: [entry('one', { 'f:tags': {} })] });
    const smaller = { manager: 'one', content: set(3) };
    const { object } = write(before as never, smaller, true);
    expect(object).toMatchObject({ tags: words(3), metadata: { managedFields: [{ manager: 'one' }] } });
  });
});

function ownedItems(object: ApiObject | undefined): number {
  const own = object?.metadata.managedFields?.find((each) => each.manager === 'one')?.fieldsV1;
  const tags = (own as Record<string, JsonObject> | undefined)?.['f:tags'] ?? {};
  return Object.keys(tags).filter((name) => name !== '.').length;
}

const entry = (manager: string, fieldsV1: JsonObject, operation = 'Update'): JsonObject => ({
  manager,
  operation,
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1,
});

/** Each of these would take minutes if managers or paths were compared with each other. */
describe('managed fields of the client', () => {
  const live = write(
    undefined,
    { manager: 'one', content: thing({ data: map(10) }), isApply: true },
    false,
  ).object;
  const put = (managedFields: JsonObject[], content: JsonObject): ApiObject =>
    write(live, { manager: 'one', content: thing(content, { managedFields }) }, false).object as ApiObject;
  const few = (count: number, operation?: string): JsonObject[] =>
    Array.from({ length: count }, (_, i) => entry(`m${i}`, { 'f:data': { [`f:n${i}`]: {} } }, operation));

  it('may have ten thousand managers, most of which are merged', () => {
    const { managedFields = [] } = put(few(10_000), { data: map(20) }).metadata;
    expect(managedFields.length).toBe(10);
    const old = managedFields.find((each) => each.manager === 'ancient-changes')?.fieldsV1;
    expect(Object.keys((old as Record<string, JsonObject>)['f:data'] ?? {}).length).toBe(9_992);
  });

  it('may have ten thousand appliers during a change of fifty thousand fields', () => {
    const owned = put(few(10_000, 'Apply'), { data: map(50_000) });
    expect(owned.metadata.managedFields?.length).toBe(10_001);
    const options: ApplyOptions = { manager: 'm1' };
    const left = manager().apply(reread(owned), thing({}), options);
    expect(left.metadata.managedFields?.length).toBe(10_000);
  });

  it('may spell one element in two thousand ways', () => {
    const many = { 'f:a': Object.fromEntries(words(50_000).map((word) => [`f:${word}`, {}])) };
    const some = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, i) => [`v: ${' '.repeat(i)}1`, i === 0 ? many : { 'f:b': {} }]),
    );
    const { managedFields = [] } = put([entry('m', { 'f:data': some }, 'Apply')], { data: map(10) }).metadata;
    const read = managedFields.find((each) => each.manager === 'm')?.fieldsV1 as Record<string, JsonObject>;
    const one = read['f:data']?.['v:1'] as JsonObject;
    expect(Object.keys(one)).toEqual(['f:a', 'f:b']);
  });

  it('may own a hundred thousand parts of an atomic field', () => {
    const parts = Object.fromEntries(words(100_000).map((word) => [`f:${word}`, { 'f:x': {} }]));
    const { managedFields = [] } = put([entry('m', { 'f:whole': parts }, 'Apply')], {
      data: map(10),
    }).metadata;
    const read = managedFields.find((each) => each.manager === 'm')?.fieldsV1;
    expect(read).toEqual({ 'f:whole': {} });
  });
});
