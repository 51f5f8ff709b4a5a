// How the cost of ownership grows: npx tsx --conditions=@ashlar/source bench/apply-growth.ts [factor of the
// sizes] [case]
// Each case runs with n, 2n and 4n values. Prints CPU-milliseconds (the best of some runs) and the longest
// time between two pauses; exits with 1 if a doubling costs more than 2.5 times as much. A second argument
// selects cases by a part of their name.
import {
  type ApiObject,
  type JsonObject,
  type JsonValue,
  type Schema,
  StatusError,
  type Steps,
  kubernetesVocabulary as vocabulary,
} from '@ashlar/core';
import { compileKindFieldType, FieldManager } from '@ashlar/field-manager';

const FACTOR = Number(process.argv[2] ?? 1);
const text: Schema = { type: 'string' };
const texts: Schema = { type: 'object', additionalProperties: text };
const item: Schema = { type: 'object', properties: { name: text, value: text, labels: texts } };
const open: Schema = { type: 'object', preserveUnknownFields: true };
const type = compileKindFieldType({
  type: 'object',
  properties: {
    data: texts,
    set: { type: 'array', listType: 'set', items: text },
    items: { type: 'array', listType: 'map', listMapKeys: ['name'], items: item },
    pairs: { type: 'array', listType: 'map', listMapKeys: ['name', 'value'], items: item },
    atomic: { type: 'array', items: text },
    open,
  },
});

const fields = new FieldManager({
  kind: { group: '', version: 'v1', kind: 'Thing' },
  versions: { typeOf: (version) => (version === 'v1' ? type : undefined), convert: (object) => object },
  clock: Date,
  vocabulary,
});

/** Decoded from bytes, as a request or a store returns it, so that nothing is cached. */
const reread = <T>(object: T): T => JSON.parse(JSON.stringify(object)) as T;

const thing = (content: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'thing', ...metadata },
  ...content,
});
const applied = (content: JsonObject, manager = 'one'): ApiObject =>
  fields.apply(undefined, thing(content), { manager });

const map = (count: number, value = 'v'): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${(i * 7919) % 1_000_003}`, value]));
const items = (count: number, value = 'v'): JsonObject[] =>
  Array.from({ length: count }, (_, i) => ({ name: `i${(i * 7919) % 1_000_003}`, value }));
const words = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `w${(i * 7919) % 1_000_003}`);
const nested = (depth: number): JsonObject => {
  let value: JsonObject = { leaf: 'v' };
  for (let i = 0; i < depth; i++) value = { a: value };
  return value;
};
const bushes = (count: number, depth: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`b${i}`, nested(depth)]));
const binary = (leaves: number): JsonValue =>
  leaves < 2 ? 'v' : { a: binary(Math.floor(leaves / 2)), b: binary(Math.ceil(leaves / 2)) };

const entry = (manager: string, fieldsV1: JsonValue, operation = 'Update'): JsonObject => ({
  manager,
  operation,
  apiVersion: 'v1',
  time: '2020-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1,
});
const managers = (count: number, operation?: string): JsonObject[] =>
  Array.from({ length: count }, (_, i) => entry(`m${i}`, { 'f:data': { [`f:k${i}`]: {} } }, operation));
const paths = (count: number, prefix: string): JsonObject => ({
  'f:data': Object.fromEntries(namesOf(count).map((name) => [prefix.replace('%', name), {}])),
});
const namesOf = (count: number): string[] => Object.keys(map(count));

type Work = () => Steps<ApiObject>;
interface Case {
  readonly name: string;
  readonly size: number;
  readonly prepare: (size: number) => Work;
}

/** Applies to a live object. */
function apply(live: ApiObject | undefined, config: JsonObject, manager: string, force = false): Work {
  return () => {
    const before = live && reread(live);
    return fields.applySteps(before, reread(config), { manager, force });
  };
}

function update(live: ApiObject | undefined, next: JsonObject, manager = 'curl'): Work {
  return () => {
    const before = live && reread(live);
    return fields.updateSteps(before, reread(next) as unknown as ApiObject, { manager });
  };
}

function both(name: string, size: number, content: (size: number, value: string) => JsonObject): Case[] {
  const make = (prepare: (a: JsonObject, b: JsonObject) => Work) => (n: number) =>
    prepare(content(n, 'v'), content(n, 'w'));
  return [
    { name: `${name}: create by apply`, size, prepare: make((a) => apply(undefined, thing(a), 'one')) },
    { name: `${name}: apply again`, size, prepare: make((a) => apply(applied(a), thing(a), 'one')) },
    { name: `${name}: apply changed`, size, prepare: make((a, b) => apply(applied(a), thing(b), 'one')) },
    { name: `${name}: apply by a second`, size, prepare: make((a) => apply(applied(a), thing(a), 'two')) },
    { name: `${name}: apply a conflict`, size, prepare: make((a, b) => apply(applied(a), thing(b), 'two')) },
    {
      name: `${name}: apply by force`,
      size,
      prepare: make((a, b) => apply(applied(a), thing(b), 'two', true)),
    },
    { name: `${name}: apply nothing`, size, prepare: make((a) => apply(applied(a), thing({}), 'one')) },
    { name: `${name}: first apply`, size, prepare: make((a) => apply(thing(a) as never, thing(a), 'one')) },
    { name: `${name}: create`, size, prepare: make((a) => update(undefined, thing(a))) },
    {
      name: `${name}: put`,
      size,
      prepare: make((a, b) => {
        const live = applied(a);
        return update(live, { ...thing(b), metadata: live.metadata as unknown as JsonObject });
      }),
    },
  ];
}

const cases: readonly Case[] = [
  ...both('map', 37_500, (n, value) => ({ data: map(n, value) })),
  ...both('list map', 20_000, (n, value) => ({ items: items(n, value) })),
  ...both('list map, two keys', 15_000, (n, value) => ({ pairs: items(n, value) })),
  ...both('set', 25_000, (n) => ({ set: words(n) })),
  ...both('atomic list', 50_000, (n, value) => ({ atomic: words(n).concat(value) })),
  ...both('bushes', 20, (n, value) => ({ open: { ...bushes(n, 900), value } })),
  ...both('binary tree', 10_000, (n, value) => ({ open: { tree: binary(n), value } })),
  {
    name: 'reversed list map: apply',
    size: 20_000,
    prepare: (n) => apply(applied({ items: items(n) }), thing({ items: items(n).reverse() }), 'one'),
  },
  {
    name: 'half a list map: apply',
    size: 20_000,
    prepare: (n) =>
      apply(applied({ items: items(n) }), thing({ items: items(n).filter((_, i) => i % 2 === 0) }), 'one'),
  },
  {
    name: 'managers: put',
    size: 2_500,
    prepare: (n) =>
      update(applied({ data: map(10) }), thing({ data: map(10, 'w') }, { managedFields: managers(n) })),
  },
  {
    name: 'appliers: put',
    size: 2_500,
    prepare: (n) =>
      update(
        applied({ data: map(10) }),
        thing({ data: map(10, 'w') }, { managedFields: managers(n, 'Apply') }),
      ),
  },
  {
    name: 'appliers: apply nothing',
    size: 2_500,
    prepare: (n) => {
      const owned = thing({ data: map(n) }, { managedFields: managers(n, 'Apply') });
      const live = fields.update(undefined, owned as unknown as ApiObject, { manager: 'curl' });
      return apply(live, thing({}), 'm1');
    },
  },
  ...['f:%', 'k:{"name":"%"}', 'v:"%"', '.', 'f:'].map(
    (prefix): Case => ({
      name: `paths ${prefix}: put`,
      size: 40_000,
      prepare: (n) =>
        update(
          applied({ data: map(10) }),
          thing({ data: map(10, 'w') }, { managedFields: [entry('m', paths(n, prefix))] }),
        ),
    }),
  ),
  {
    name: 'deep fieldsV1: put',
    size: 25,
    prepare: (n) =>
      update(applied({ data: map(10) }), thing({}, { managedFields: [entry('m', deepFields(n))] })),
  },
];

function deepFields(count: number): JsonObject {
  const chain = (i: number): JsonObject => {
    let value: JsonObject = {};
    for (let depth = 0; depth < 900; depth++) value = { 'f:a': value };
    return { [`f:b${i}`]: value };
  };
  return Object.assign({}, ...Array.from({ length: count }, (_, i) => chain(i))) as JsonObject;
}

interface Cost {
  /** CPU-milliseconds. */
  readonly cpu: number;
  /** CPU-milliseconds of the longest slice. */
  readonly piece: number;
}

const RUNS = 3;

/** The best of some runs: the machine may be busy. */
function costOf(work: Work): Cost {
  let cpu = Number.POSITIVE_INFINITY;
  let piece = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const steps = work();
    const before = process.cpuUsage();
    piece = Math.min(piece, longestPiece(steps));
    const { user, system } = process.cpuUsage(before);
    cpu = Math.min(cpu, (user + system) / 1000);
  }
  return { cpu, piece };
}

function longestPiece(steps: Steps<ApiObject>): number {
  let longest = 0;
  try {
    for (let isDone = false; !isDone; ) {
      const before = process.cpuUsage();
      isDone = steps.next().done === true;
      const { user, system } = process.cpuUsage(before);
      longest = Math.max(longest, (user + system) / 1000);
    }
  } catch (error) {
    // Conflicts are rejected: that is what is measured.
    if (!StatusError.is(error)) throw error;
  }
  return longest;
}

let isBad = false;
console.log('case'.padEnd(36), '      n', '   n ms', '  2n ms', '  4n ms', 'growth', ' piece ms');
for (const { name, size, prepare } of cases) {
  if (process.argv[3] && !name.includes(process.argv[3])) continue;
  const costs = [1, 2, 4].map((times) => costOf(prepare(Math.round(size * FACTOR * times))));
  const [a, , c] = costs.map(({ cpu }) => cpu) as [number, number, number];
  const growth = Math.sqrt(c / a);
  // A few milliseconds are too short to show growth.
  const isTooMuch = a > 5 && growth > 2.5;
  isBad ||= isTooMuch;
  console.log(
    name.padEnd(36),
    String(Math.round(size * FACTOR)).padStart(7),
    ...costs.map(({ cpu }) => cpu.toFixed(0).padStart(7)),
    growth.toFixed(2).padStart(6),
    Math.max(...costs.map(({ piece }) => piece))
      .toFixed(0)
      .padStart(9),
    isTooMuch ? 'TOO MUCH' : '',
  );
}
process.exit(isBad ? 1 : 0);
