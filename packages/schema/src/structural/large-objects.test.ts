import { type JsonValue, ObjectTooLargeError, runAtOnce, type Schema, type Steps } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schemas, values } from './schemas.fixture.ts';
import { compileStructural } from './structural.ts';

/** Runs steps and counts their pauses. */
function countPauses(steps: Steps<unknown>): number {
  let pauses = 0;
  while (!steps.next().done) pauses++;
  return pauses;
}

const listOf = (items: Schema, more: Partial<Schema> = {}): Schema => ({
  type: 'object',
  properties: { list: { type: 'array', items, ...more } },
});

const ignore = (): void => {};

describe('defaults of many items', () => {
  const text = 'x'.repeat(1000);
  const schema = listOf({ type: 'object', properties: { text: { type: 'string', default: text } } });
  const structure = compileStructural(schema);
  const empty = (count: number): JsonValue => ({ list: Array.from({ length: count }, () => ({})) });

  it('are rejected if they exceed the maximum object size', () => {
    expect(() => structure.applyDefaults(empty(300_000))).toThrow(ObjectTooLargeError);
    expect(() => structure.fillDefaults(empty(300_000))).toThrow(ObjectTooLargeError);
    expect(() => runAtOnce(structure.applyDefaultsSteps(empty(300_000)))).toThrow(ObjectTooLargeError);
  });

  it('are rejected if they add much to a small object', () => {
    // each adds its text with quotes, its name and punctuation
    const most = Math.floor(2 ** 19 / (1000 + 2 + 'text'.length + 4));
    expect(structure.applyDefaults(empty(most))).not.toEqual(empty(most));
    const tooMany = 'Request entity too large: defaults add more than 524288 bytes';
    expect(() => structure.applyDefaults(empty(most + 1))).toThrow(tooMany);
    expect(() => runAtOnce(structure.fillDefaultsSteps(empty(most + 1)))).toThrow(tooMany);
  });

  it('stop before they are all created', () => {
    let reads = 0;
    const counted = {
      list: Array.from(
        { length: 100_000 },
        () => new Proxy({}, { ownKeys: () => (reads++ < 0 ? ['a'] : []) }),
      ),
    };
    expect(() => structure.applyDefaults(counted as JsonValue, { maximumBytes: 200_000 })).toThrow(
      'Request entity too large: limit is 200000',
    );
    // Each of the 200 items that fit is processed, and jsonSize stops at its limit.
    expect(reads).toBeLessThan(70_000);
  });

  it('count the object that they are added to', () => {
    const own = { list: [{ text: 'y'.repeat(150_000) }, ...(empty(80) as { list: [] }).list] };
    expect(structure.applyDefaults(own, { maximumBytes: 240_000 })).not.toBe(own);
    expect(() => structure.applyDefaults(own, { maximumBytes: 220_000 })).toThrow(ObjectTooLargeError);
  });

  it('count defaults of defaults', () => {
    // Each level doubles what the one within it adds.
    let part: Schema = { type: 'string', default: 'x' };
    for (let level = 0; level < 14; level++) {
      part = { type: 'object', default: {}, properties: { a: part, b: part } };
    }
    const doubling = compileStructural({ type: 'object', properties: { spec: part } });
    expect(() => doubling.applyDefaults({ spec: {} }, { maximumBytes: 150_000 })).toThrow(
      ObjectTooLargeError,
    );
  });

  it('share memory', () => {
    const nested = listOf({
      type: 'object',
      properties: { a: { type: 'object', default: {}, properties: { b: { default: 1 } } } },
    });
    const { list } = compileStructural(nested).applyDefaults({ list: [{}, {}] }) as { list: { a: object }[] };
    expect(list).toEqual([{ a: { b: 1 } }, { a: { b: 1 } }]);
    expect(list[0]?.a).toBe(list[1]?.a);
  });
});

describe('errors in many places', () => {
  it('are reported at most a hundred times', () => {
    const structure = compileStructural(listOf({ type: 'string' }));
    const errors = structure.validate({ list: new Array(100_000).fill(1) });
    expect(errors).toHaveLength(100);
    expect(errors.at(-1)?.field).toBe('list[99]');
  });

  it('are reported at most a hundred times for names', () => {
    const structure = compileStructural({ type: 'object', additionalProperties: { type: 'string' } });
    const object = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i]));
    expect(structure.validate(object)).toHaveLength(100);
  });

  it('are reported at most a hundred times for repeated items', () => {
    const structure = compileStructural(listOf({ type: 'integer' }, { listType: 'set' }));
    const list = Array.from({ length: 400_000 }, (_, i) => i >> 1);
    expect(structure.validate({ list })).toHaveLength(100);
  });

  it('are reported at most a hundred times for unknown fields', () => {
    const structure = compileStructural(listOf({ type: 'object' }));
    const paths: string[] = [];
    const list = Array.from({ length: 100_000 }, () => ({ a: 1 }));
    structure.prune({ list }, (path) => paths.push(path));
    expect(paths).toHaveLength(100);
    expect(paths[0]).toBe('list[0].a');
  });

  it('are ignored if they are unchanged, at any position', () => {
    const item: Schema = {
      type: 'object',
      properties: { id: { type: 'string' }, size: { type: 'integer', maximum: 1 } },
    };
    const structure = compileStructural(listOf(item, { listType: 'map', listMapKeys: ['id'] }));
    const list = Array.from({ length: 2000 }, (_, i) => ({ id: `${i}`, size: 5 }));
    expect(structure.validateUpdate({ list }, { list })).toEqual([]);
    const changed = [...list.slice(0, -1), { id: '1999', size: 6 }];
    expect(structure.validateUpdate({ list: changed }, { list }).map(({ field }) => field)).toEqual([
      'list[1999].size',
    ]);
  });
});

it.each([
  ['integers', (i: number) => i],
  ['texts', (i: number) => `${i}`],
  ['objects', (i: number) => ({ a: i, b: [i] })],
])('a set of very many %s is checked in one pass', (_, item) => {
  const structure = compileStructural(listOf({ preserveUnknownFields: true }, { listType: 'set' }));
  const list = Array.from({ length: 200_000 }, (_, i) => item(i)) as JsonValue[];
  expect(structure.validate({ list })).toEqual([]);
  expect(structure.validate({ list: [...list, item(7)] }).map(({ field }) => field)).toEqual([
    'list[200000]',
  ]);
});

it('finds a value in a long enumeration by one lookup', () => {
  const allowed = Array.from({ length: 20_000 }, (_, i) => `v${i}`);
  const structure = compileStructural(listOf({ type: 'string', enum: allowed }));
  const list = Array.from({ length: 200_000 }, (_, i) => `v${i % 20_000}`);
  expect(structure.validate({ list })).toEqual([]);
});

describe('work with pauses', () => {
  const item: Schema = {
    type: 'object',
    properties: { a: { type: 'integer', default: 1, maximum: 3 }, b: { type: 'string', nullable: true } },
  };
  const structure = compileStructural(listOf(item));
  const object = { list: Array.from({ length: 50_000 }, (_, i) => (i % 2 ? { b: 'x' } : { b: 'y', c: 1 })) };

  it.each([
    ['prune', () => structure.pruneSteps(object, ignore)],
    ['defaults', () => structure.applyDefaultsSteps(object)],
    ['validate', () => structure.validateSteps(object)],
    ['validate an update', () => structure.validateUpdateSteps(object, object)],
  ])('pauses about once per thousand values: %s', (_, steps) => {
    expect(countPauses(steps())).toBeGreaterThan(100);
  });

  it('does not pause for small objects', () => {
    const small = { list: object.list.slice(0, 100) };
    expect(countPauses(structure.validateSteps(small))).toBe(0);
    expect(countPauses(structure.applyDefaultsSteps(small))).toBe(0);
    expect(countPauses(structure.pruneSteps(small, ignore))).toBe(0);
  });

  it('has the same result as without pauses, for every schema and value', () => {
    // The value is part of something larger, so that its container is large.
    const ballast: Schema = { type: 'array', items: { type: 'integer', maximum: 0 } };
    const many = new Array(1500).fill(0) as JsonValue[];
    fc.assert(
      fc.property(schemas, values, values, (schema, value, old) => {
        const whole = compileStructural({
          type: 'object',
          properties: { part: { type: 'object', properties: { own: schema, ballast } } },
        });
        const around = (own: JsonValue): JsonValue => ({ part: { ballast: many, own } });
        const reports = [[], []] as [string[], string[]];
        expect(runAtOnce(whole.pruneSteps(around(value), (path) => reports[0].push(path)))).toEqual(
          whole.prune(around(value), (path) => reports[1].push(path)),
        );
        expect(reports[0]).toEqual(reports[1]);
        expect(runAtOnce(whole.applyDefaultsSteps(around(value)))).toEqual(
          whole.applyDefaults(around(value)),
        );
        expect(runAtOnce(whole.fillDefaultsSteps(around(value)))).toEqual(whole.fillDefaults(around(value)));
        expect(runAtOnce(whole.validateSteps(around(value)))).toEqual(whole.validate(around(value)));
        expect(runAtOnce(whole.validateUpdateSteps(around(value), around(old)))).toEqual(
          whole.validateUpdate(around(value), around(old)),
        );
      }),
    );
  });
});
