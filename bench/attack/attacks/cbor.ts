import type { Attack, Target } from '../attack.ts';
import { bodyRequest, DRY_MAPS, dryCustomPath } from '../bodies.ts';
import { define } from '../custom-types.ts';

const CBOR = 'application/cbor';
const SELF_DESCRIBED = Buffer.from([0xd9, 0xd9, 0xf7]);
const PLURAL = 'binaries';
const PATH = '/api/v1/namespaces/tenant/configmaps/binary';

type Value =
  | string
  | number
  | boolean
  | Uint8Array
  | readonly Value[]
  | { readonly [key: string]: Value }
  | Raw;

/** Encoded already. */
class Raw {
  readonly bytes: Uint8Array;

  constructor(...parts: readonly (readonly number[] | Uint8Array)[]) {
    this.bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
  }
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  const bytes = Buffer.alloc(5);
  bytes[0] = (major << 5) | 26;
  bytes.writeUInt32BE(length, 1);
  return bytes;
}

function* partsOf(value: Value): Generator<Uint8Array> {
  if (value instanceof Raw) yield value.bytes;
  else if (typeof value === 'boolean') yield Buffer.from([value ? 0xf5 : 0xf4]);
  else if (typeof value === 'number') yield head(value < 0 ? 1 : 0, value < 0 ? -1 - value : value);
  else if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    yield head(2, bytes.length);
    yield bytes;
  } else if (value instanceof Uint8Array) {
    yield head(2, value.length);
    yield value;
  } else if (Array.isArray(value)) {
    yield head(4, value.length);
    for (const item of value as readonly Value[]) yield* partsOf(item);
  } else {
    const entries = Object.entries(value as Readonly<Record<string, Value>>);
    yield head(5, entries.length);
    for (const [key, member] of entries) {
      yield* partsOf(key);
      yield* partsOf(member);
    }
  }
}

const cbor = (value: Value): Buffer => Buffer.concat([SELF_DESCRIBED, ...partsOf(value)]);
const repeated = (bytes: readonly number[], count: number): Buffer =>
  Buffer.alloc(bytes.length * Math.floor(count), Buffer.from(bytes));
const members = (n: number, make: (i: number) => Value, key = 'k'): Value =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`${key}${i}`, make(i)]));
const items = (n: number, make: (i: number) => Value): Value => Array.from({ length: n }, (_, i) => make(i));

const map = (more: { readonly [key: string]: Value }): Buffer =>
  cbor({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'binary' }, ...more });
const custom = (spec: Value): Buffer =>
  cbor({ apiVersion: 'attack.example.com/v1', kind: 'Binaries', metadata: { name: 'a' }, spec });

function posted(name: string, sends: string, n: number, body: (n: number) => Buffer): Attack {
  return {
    name,
    sends,
    n,
    caller: 'tenant',
    request: (size) => bodyRequest('POST', DRY_MAPS, CBOR, body(size)),
  };
}

/** A custom object whose specification may have any content. */
function ofCustom(name: string, sends: string, n: number, spec: (n: number) => Value): Attack {
  return {
    ...{ name, sends, n, caller: 'tenant' },
    prepare: (target) =>
      define(target, PLURAL, { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
    request: (size) => bodyRequest('POST', dryCustomPath(PLURAL), CBOR, custom(spec(size))),
  };
}

async function prepare(target: Target): Promise<void> {
  await target.send({
    ...bodyRequest('POST', '/api/v1/namespaces/tenant/configmaps', CBOR, map({ data: { a: 'b' } })),
    headers: [target.credentials('tenant'), `Content-Type: ${CBOR}`],
  });
}

function applied(name: string, sends: string, n: number, body: (n: number) => Buffer): Attack {
  const path = `${PATH}?fieldManager=attack&force=true&dryRun=All`;
  return {
    ...{ name, sends, n, caller: 'tenant', prepare },
    request: (size) => bodyRequest('PATCH', path, 'application/apply-patch+cbor', body(size)),
  };
}

/** Maximum number of members and of items: longer ones are refused. */
const MOST = 1_000;
const LONG = 'v'.repeat(2_800);
/** Lists of as many items as may be. */
const lists = (n: number, item: (i: number) => Value): Value => ({
  lists: items(Math.ceil(n / MOST), (i) => items(MOST, (j) => item(i * MOST + j))),
});
/** The same of one encoded item. */
const encoded = (n: number, item: readonly number[]): Value => lists(n, () => new Raw(item));

/** Objects in CBOR, written and applied. The largest body has about 3 MB. */
export const attacks: readonly Attack[] = [
  posted('keys', 'keys as many as may be, with long values', 250, (n) =>
    map({ data: members(n, () => LONG) }),
  ),
  posted('more keys', 'more keys than may be', 30_000, (n) => map({ data: members(n, () => 'v') })),
  posted('byte strings', 'binary data of megabytes', 700_000, (n) =>
    map({ binaryData: { a: new Raw([0xd6], head(2, n), Buffer.alloc(n, 1)) } }),
  ),
  posted('many byte strings', 'binary data, as much as may be', 250, (n) =>
    map({ binaryData: members(n, () => new Raw([0xd6], head(2, 2_000), Buffer.alloc(2_000, 1))) }),
  ),
  posted('expected encodings', 'tags of an encoding, one in the other', 200, (n) =>
    map({ data: { a: new Raw(repeated([0xd5], n), [0x41, 0x61]) } }),
  ),
  posted('chunks of a text', 'a text in chunks of a byte', 350_000, (n) =>
    map({ data: { a: new Raw([0x5f], repeated([0x41, 0x61], n), [0xff]) } }),
  ),
  posted('chunks of a key', 'a key in chunks of a byte', 350_000, (n) =>
    map({ data: new Raw([0xbf, 0x5f], repeated([0x41, 0x61], n), [0xff, 0x41, 0x61, 0xff]) }),
  ),
  posted('labels', 'labels, as many as may be', 250, (n) =>
    map({ metadata: { name: 'binary', labels: members(n, () => 'v'.repeat(63)) } }),
  ),
  ofCustom('numbers', 'whole numbers by the hundred thousand', 60_000, (n) => lists(n, (i) => i)),
  ofCustom('negative numbers', 'negative numbers by the hundred thousand', 60_000, (n) =>
    lists(n, (i) => -i - 1),
  ),
  ofCustom('fractions', 'floating point numbers by the hundred thousand', 60_000, (n) =>
    encoded(n, [0xfb, 0x3f, 0xb9, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a]),
  ),
  ofCustom('half fractions', 'numbers of two bytes', 60_000, (n) => encoded(n, [0xf9, 0x3e, 0x00])),
  ofCustom('texts', 'short texts by the hundred thousand', 60_000, (n) => lists(n, (i) => `t${i}`)),
  ofCustom('empty texts', 'empty texts by the hundred thousand', 60_000, (n) => lists(n, () => '')),
  ofCustom('encoded texts', 'texts that are to be encoded', 60_000, (n) => encoded(n, [0xd6, 0x43, 1, 2, 3])),
  ofCustom('times', 'times as tags', 60_000, (n) => encoded(n, [0xc1, 0x1a, 0x60, 0, 0, 0])),
  ofCustom('large integers', 'an integer of a hundred bytes', 60_000, (n) =>
    encoded(n, [0xc2, 0x58, 100, ...Buffer.alloc(100, 0xff)]),
  ),
  ofCustom('not a number', 'a number that is none', 60_000, (n) => encoded(n, [0xf9, 0x7e, 0x00])),
  ofCustom('nested maps', 'maps in maps', 15, (n) => new Raw(repeated([0xa1, 0x41, 0x61], n), [1])),
  ofCustom(
    'nested deeper',
    'maps in maps, deeper than may be',
    200_000,
    (n) => new Raw(repeated([0xa1, 0x41, 0x61], n), [1]),
  ),
  ofCustom(
    'one key',
    'one key without end',
    240_000,
    (n) => new Raw([0xbf], repeated([0x41, 0x61, 1], n), [0xff]),
  ),
  ofCustom('objects', 'objects with one member each', 60_000, (n) => encoded(n, [0xa1, 0x41, 0x61, 1])),
  ofCustom('empty objects', 'objects without members', 60_000, (n) => encoded(n, [0xa0])),
  applied('apply: keys', 'an apply of keys with long values', 250, (n) =>
    map({ data: members(n, () => LONG) }),
  ),
  applied('apply: byte strings', 'an apply of binary data', 700_000, (n) =>
    map({ binaryData: { a: new Raw([0xd6], head(2, n), Buffer.alloc(n, 1)) } }),
  ),
  applied('apply: finalizers', 'an apply of a set', 250, (n) =>
    map({ metadata: { name: 'binary', finalizers: items(n, (i) => `a.b/${i}`) } }),
  ),
  applied('apply: owners', 'an apply of a list by key', 250, (n) =>
    map({
      metadata: {
        name: 'binary',
        ownerReferences: items(n, (i) => ({
          apiVersion: 'v1',
          kind: 'A',
          name: `n${i}`,
          uid: `u${i}`.repeat(500),
        })),
      },
    }),
  ),
  applied('apply: managed fields', 'an apply with managed fields', 250, (n) =>
    map({
      metadata: {
        name: 'binary',
        managedFields: items(n, (i) => ({
          ...{ manager: `m${i}`, operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' },
          fieldsV1: { 'f:data': {} },
        })),
      },
    }),
  ),
  applied('apply: nested maps', 'an apply nested deeply', 15, (n) =>
    map({ data: new Raw(repeated([0xa1, 0x41, 0x61], n), [1]) }),
  ),
  applied('apply: unknown members', 'an apply of members that nobody knows', 250, (n) =>
    map({ data: { a: 'b' }, more: members(n, () => LONG) }),
  ),
];
