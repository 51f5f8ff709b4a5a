// Whether work on hostile objects is linear in their size: npx tsx --conditions=@ashlar/source
// bench/object-growth.ts [word]
// Each input is generated in sizes n, 2n and 4n; a row contains the CPU milliseconds of each and the
// longest slice, and fails if four times the input costs more than 2.5 × 2.5 times as much. A word selects
// the rows whose names contain it.
import {
  type JsonValue,
  ObjectTooLargeError,
  type Schema,
  type Steps,
  orchVocabulary as vocabulary,
} from '@ashlar/core';
import {
  applyJsonPatchSteps,
  applyMergePatchSteps,
  applyStrategicMergePatchSteps,
  PatchError,
} from '@ashlar/patch';
import { compileStructural } from '@ashlar/schema';
import { checkDefinitionSchema } from '@ashlar/validation';

/** Maximum growth of the cost when the input doubles. */
const GROWTH = 2.5;
/** Less than this shows no growth. */
const FLOOR_MILLISECONDS = 15;
const ROUNDS = 3;

type Work = () => Steps<unknown>;

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const listOf = (items: Schema, more: Schema = {}): Schema => ({
  type: 'object',
  properties: { list: { type: 'array', items, ...more } },
});

const validating = (schema: Schema, list: JsonValue[]): Work => {
  const structure = compileStructural(schema);
  return () => structure.validateSteps({ list });
};

const patching = (length: number, operation: (index: number) => Record<string, JsonValue>): Work => {
  const document = { list: many(length, (i) => i) };
  const operations = many(Math.min(10_000, length / 40), operation);
  return () => applyJsonPatchSteps(document, operations);
};

const named: Schema = {
  properties: {
    list: {
      type: 'array',
      patchStrategy: 'merge',
      patchMergeKey: 'k',
      items: { properties: { k: {}, v: {} } },
    },
    set: { type: 'array', patchStrategy: 'merge', items: { type: 'string' } },
  },
};
const pairs = (count: number, v: number): JsonValue[] => many(count, (i) => ({ k: i, v }));

function* definition(properties: Record<string, JsonValue>): Steps<unknown> {
  yield;
  return checkDefinitionSchema({ type: 'object', properties }, { vocabulary, path: 'schema' });
}

const properties = (count: number, make: (index: number) => JsonValue): Record<string, JsonValue> =>
  Object.fromEntries(many(count, (i) => [`p${i}`, make(i)]));

const filled = compileStructural(
  listOf({ type: 'object', properties: { a: { type: 'string', default: 'x'.repeat(1000) } } }),
);
const plain = compileStructural(listOf({ type: 'object', properties: { a: { type: 'string' } } }));

/** By name: the size n, and the work on an input of a size. */
const cases: Readonly<Record<string, readonly [size: number, work: (size: number) => Work]>> = {
  'defaults that get too large': [
    75_000,
    (n) => () => filled.applyDefaultsSteps({ list: many(n, () => ({})) }),
  ],
  'unknown fields': [50_000, (n) => () => plain.pruneSteps({ list: many(n, () => ({ b: 1 })) }, () => {})],
  'wrong items': [
    100_000,
    (n) =>
      validating(
        listOf({ type: 'string' }),
        many(n, (i) => i),
      ),
  ],
  'set of numbers': [
    100_000,
    (n) =>
      validating(
        listOf({ type: 'integer' }, { listType: 'set' }),
        many(n, (i) => i),
      ),
  ],
  'set of texts': [
    100_000,
    (n) =>
      validating(
        listOf({ type: 'string' }, { listType: 'set' }),
        many(n, (i) => `${i}`),
      ),
  ],
  'list of maps': [
    50_000,
    (n) =>
      validating(
        listOf(
          { type: 'object', properties: { k: { type: 'integer' } } },
          { listType: 'map', listMapKeys: ['k'] },
        ),
        many(n, (i) => ({ k: i })),
      ),
  ],
  'long enumeration': [
    50_000,
    (n) =>
      validating(
        listOf({ type: 'string', enum: many(n, (i) => `v${i}`) }),
        many(n, (i) => `v${i}`),
      ),
  ],
  'pattern over one text': [
    500_000,
    (n) => validating(listOf({ type: 'string', pattern: '^([a-z]+[0-9]*)*$' }), ['a'.repeat(n)]),
  ],
  'patch: inserts': [100_000, (n) => patching(n, () => ({ op: 'add', path: `/list/${n / 2}`, value: 0 }))],
  'patch: moves': [
    100_000,
    (n) => patching(n, () => ({ op: 'move', from: '/list/0', path: `/list/${n - 1}` })),
  ],
  'patch: tests': [
    100_000,
    (n) => {
      const list = many(n, (i) => i);
      const tests = many(200, () => ({ op: 'test', path: '/list', value: list }));
      return () => applyJsonPatchSteps({ list }, tests);
    },
  ],
  'patch: pointer of escapes': [
    350_000,
    (n) => () => applyJsonPatchSteps({}, [{ op: 'remove', path: `/${'~1'.repeat(n)}` }]),
  ],
  'merge patch': [
    25_000,
    (n) => {
      const items = properties(n, () => ({ a: null, b: 1 }));
      return () => applyMergePatchSteps({ items }, { items });
    },
  ],
  'strategic merge: maps': [
    25_000,
    (n) => () => applyStrategicMergePatchSteps({ list: pairs(n, 0) }, { list: pairs(n, 1) }, named),
  ],
  'strategic merge: order': [
    25_000,
    (n) => () =>
      applyStrategicMergePatchSteps(
        { list: pairs(n, 0) },
        { '$setElementOrder/list': many(n, (i) => ({ k: n - 1 - i })) },
        named,
      ),
  ],
  'strategic merge: deletions': [
    25_000,
    (n) => () =>
      applyStrategicMergePatchSteps(
        { list: pairs(n, 0), set: many(n, (i) => `s${i}`) },
        {
          list: many(n, (i) => ({ k: i, $patch: 'delete' })),
          '$deleteFromPrimitiveList/set': many(n, (i) => `s${i}`),
        },
        named,
      ),
  ],
  'definition: properties': [10_000, (n) => () => definition(properties(n, () => ({ type: 'string' })))],
  'definition: defaults': [
    10_000,
    (n) => () => definition(properties(n, () => ({ type: 'string', default: 'x' }))),
  ],
  'definition: patterns': [
    2000,
    (n) => () => definition(properties(n, (i) => ({ type: 'string', pattern: `^a{${i % 999}}$` }))),
  ],
  'definition: rules': [
    1000,
    (n) => () =>
      definition(
        properties(n, () => ({
          type: 'string',
          maxLength: 5,
          [`${vocabulary.extensionPrefix}validations`]: [{ rule: 'self.size() < 3' }],
        })),
      ),
  ],
};

/** CPU time of the work, and its longest slice, in milliseconds. */
function measure(work: Work): readonly [cpu: number, piece: number] {
  const start = process.cpuUsage();
  let piece = 0;
  try {
    const steps = work();
    for (let done = false, at = performance.now(); !done; ) {
      done = steps.next().done === true;
      const now = performance.now();
      piece = Math.max(piece, now - at);
      at = now;
    }
  } catch (error) {
    if (!(ObjectTooLargeError.is(error) || PatchError.is(error))) throw error;
  }
  const { user, system } = process.cpuUsage(start);
  return [(user + system) / 1000, piece];
}

function best(work: Work): readonly [cpu: number, piece: number] {
  const rounds = many(ROUNDS, () => measure(work));
  return [Math.min(...rounds.map(([cpu]) => cpu)), Math.min(...rounds.map(([, piece]) => piece))];
}

const word = process.argv[2] ?? '';
let failures = 0;
console.log(
  `${'input'.padEnd(30)} ${'n'.padStart(8)} ${'n ms'.padStart(8)} ${'2n ms'.padStart(8)} ${'4n ms'.padStart(8)}  piece`,
);
for (const [name, [size, make]] of Object.entries(cases)) {
  if (!name.includes(word)) continue;
  const results = [size, 2 * size, 4 * size].map((n) => best(make(n)));
  const times = results.map(([cpu]) => cpu);
  const [first = 0, , last = 0] = times;
  const grows = last > GROWTH ** 2 * Math.max(first, FLOOR_MILLISECONDS);
  if (grows) failures++;
  const cells = times.map((time) => time.toFixed(1).padStart(8)).join(' ');
  const piece = (results.at(-1) as readonly [number, number])[1].toFixed(1).padStart(6);
  console.log(
    `${name.padEnd(30)} ${String(size).padStart(8)} ${cells} ${piece}${grows ? '  grows faster than its input' : ''}`,
  );
}
if (failures > 0) process.exitCode = 1;
