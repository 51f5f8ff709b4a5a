import { runAtOnce, type Schema, type Steps } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCbor, decodeCborSteps } from '../cbor/cbor-decode.ts';
import { encodeCbor } from '../cbor/cbor-encode.ts';
import { decodeJson, decodeJsonSteps } from '../json/json-decode.ts';
import { encodeJson } from '../json/json-encode.ts';
import { compileProtobuf } from '../protobuf/protobuf.ts';
import { createWriter, WireType, writeKey } from '../protobuf/protobuf-wire.ts';
import { decodeYaml, decodeYamlSteps } from '../yaml/yaml-decode.ts';
import { encodeYaml } from '../yaml/yaml-encode.ts';
import { DecodeError } from './decode-error.ts';
import { MAXIMUM_DOCUMENT_VALUES } from './document-limits.ts';
import { jsonSerializer, yamlSerializer } from './serializer.ts';
import { encodeUtf8 } from './utf8.ts';

const node: Schema & { properties: Record<string, Schema> } = {
  type: 'object',
  properties: {
    names: { type: 'array', items: { type: 'string' }, tag: 1 },
    ports: { type: 'array', items: { type: 'integer' }, tag: 2 },
    labels: { type: 'object', additionalProperties: { type: 'string' }, tag: 3 },
    free: { type: 'object', format: 'raw-extension', tag: 4 },
    lists: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } }, tag: 6 },
    time: { type: 'string', format: 'date-time', tag: 7 },
    amount: { type: 'string', format: 'quantity', tag: 8 },
  },
};
node.properties.children = { type: 'array', items: node, tag: 5 };
const protobuf = compileProtobuf(node);

const DECODERS: Readonly<
  Record<string, { once(bytes: Uint8Array): unknown; steps(bytes: Uint8Array): Steps<unknown> }>
> = {
  JSON: {
    once: (bytes) => decodeJson(bytes, { duplicates: 'report' }),
    steps: (bytes) => decodeJsonSteps(bytes, { duplicates: 'report' }),
  },
  YAML: { once: decodeYaml, steps: decodeYamlSteps },
  CBOR: { once: decodeCbor, steps: decodeCborSteps },
  Protobuf: { once: (bytes) => protobuf.decode(bytes), steps: (bytes) => protobuf.decodeSteps(bytes) },
};

/** The returned or thrown value. */
function outcome(decode: () => unknown): unknown {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return error.message;
  }
}

const text = (...parts: string[]): Uint8Array => encodeUtf8(parts.join(''));
const bytes = (length: number, ...numbers: number[]): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => numbers[i % numbers.length] as number);
/** A CBOR array of arrays of 1,000 items, one per thousand. */
const cborArrays = (thousands: number, item: number): Uint8Array =>
  Uint8Array.from([
    0x99,
    thousands >> 8,
    thousands & 0xff,
    ...Array.from({ length: thousands }, () => [0x99, 3, 232, ...new Array<number>(1000).fill(item)]).flat(),
  ]);

const MANY = MAXIMUM_DOCUMENT_VALUES + 1;

describe('documents with too many values', () => {
  const cases: Readonly<Record<string, readonly [decoder: string, document: () => Uint8Array]>> = {
    'JSON objects': ['JSON', () => text('[', '{},'.repeat(MANY), '0]')],
    'repeated members of JSON': ['JSON', () => text('{', '"a":1,'.repeat(MANY), '"a":1}')],
    'YAML keys': ['YAML', () => text('a: 1\n'.repeat(MANY))],
    'YAML items': ['YAML', () => text('[', '1,'.repeat(MANY), '1]')],
    'YAML aliases': [
      'YAML',
      () =>
        text('c: [', '1,'.repeat(9000), ']\na: &a [', '1,'.repeat(999), '1]\nb: [', '*a,'.repeat(400), ']'),
    ],
    'YAML merges': [
      'YAML',
      () => {
        const keys = Array.from({ length: 1000 }, (_, i) => `k${i}: 1`).join(',');
        const merges = Array.from({ length: 400 }, (_, i) => `m${i}: {<<: *a}\n`);
        return text(`c: [${'1,'.repeat(60_000)}]\na: &a {${keys}}\n`, ...merges);
      },
    ],
    'CBOR arrays': ['CBOR', () => cborArrays(301, 0x80)],
    'parts of a CBOR string': ['CBOR', () => Uint8Array.from([0x7f, ...bytes(MANY, 0x60), 0xff])],
    'Protobuf strings': ['Protobuf', () => bytes(2 * MANY, 0x0a, 0)],
    'packed Protobuf integers': [
      'Protobuf',
      () => writeKey(createWriter(), 2, WireType.bytes).bytes(bytes(MANY, 1)).finish(),
    ],
    'Protobuf map entries': ['Protobuf', () => bytes(2 * MANY, 0x1a, 0)],
    'Protobuf messages': ['Protobuf', () => bytes(2 * MANY, 0x2a, 0)],
    'unknown Protobuf fields': ['Protobuf', () => bytes(2 * MANY, 0x78, 0)],
    'JSON inside of Protobuf': [
      'Protobuf',
      () => {
        const writer = createWriter();
        for (let i = 0; i < 4; i++) {
          writeKey(writer, 5, WireType.bytes).fork();
          writeKey(writer, 4, WireType.bytes).fork();
          writeKey(writer, 1, WireType.bytes).bytes(text('[', '0,'.repeat(MANY / 3), '0]'));
          writer.ldelim().ldelim();
        }
        return writer.finish();
      },
    ],
  };
  for (const [name, [decoder, document]] of Object.entries(cases))
    it(`are rejected: ${name}`, () => {
      const { once, steps } = DECODERS[decoder] as (typeof DECODERS)[string];
      const body = document();
      const tooLarge = expect.objectContaining({ name: 'DecodeError', kind: 'too-large' });
      expect(() => once(body)).toThrow(tooLarge);
      expect(() => runAtOnce(steps(body))).toThrow(tooLarge);
    });
});

describe('documents that nest deeply', () => {
  const tag = (depth: number): Uint8Array => {
    let message: Uint8Array = new Uint8Array(0);
    for (let i = 0; i < depth; i++)
      message = writeKey(createWriter(), 5, WireType.bytes).bytes(message).finish();
    return message;
  };
  const cases: Readonly<Record<string, (depth: number) => readonly [string, Uint8Array]>> = {
    arrays: (depth) => ['JSON', text('['.repeat(depth), ']'.repeat(depth))],
    objects: (depth) => ['JSON', text('{"a":'.repeat(depth), '0', '}'.repeat(depth))],
    'flow sequences': (depth) => ['YAML', text('['.repeat(depth), ']'.repeat(depth))],
    'block sequences': (depth) => ['YAML', text('- '.repeat(depth), 'x')],
    'complex keys': (depth) => ['YAML', text('? '.repeat(depth), 'x')],
    'CBOR arrays': (depth) => ['CBOR', Uint8Array.from([...bytes(depth, 0x81), 0])],
    'CBOR tags': (depth) => ['CBOR', Uint8Array.from([...bytes(depth, 0xc9), 0])],
    messages: (depth) => ['Protobuf', tag(depth)],
  };
  for (const [name, document] of Object.entries(cases))
    it(`are rejected well before the stack overflows: ${name}`, () => {
      const [decoder, body] = document(2000);
      const { once, steps } = DECODERS[decoder] as (typeof DECODERS)[string];
      const message = /exceeded max|nested too deeply|invalid map key/;
      expect(outcome(() => once(body))).toMatch(message);
      expect(outcome(() => runAtOnce(steps(body)))).toMatch(message);
    });
});

describe('lengths without end', () => {
  const CONTINUED = 0x80;
  // the fields of a text, a message and a map
  const cases = [0x0a, 0x2a, 0x1a].flatMap((key) =>
    [1, 4, 5, 6, 10, 11].map((length) => [key, length] as const),
  );

  it.each(cases)('are rejected equally, with pauses and without: key %i, %i bytes', (key, length) => {
    const { once, steps } = DECODERS.Protobuf as (typeof DECODERS)[string];
    const body = Uint8Array.from([key, ...bytes(length, CONTINUED)]);
    expect(outcome(() => runAtOnce(steps(body)))).toBe(outcome(() => once(body)));
    expect(outcome(() => once(body))).toMatch(/^(unexpected EOF|proto: (negative length|integer overflow))/);
  });
});

describe('random bytes', () => {
  const seeds: Readonly<Record<string, fc.Arbitrary<Uint8Array>>> = {
    JSON: fc.jsonValue().map((value) => encodeJson(value)),
    YAML: fc.oneof(
      fc.jsonValue().map((value) => encodeYaml(value)),
      fc
        .array(fc.constantFrom(...'-?:,[]{}#&*!|>\'"%@` \n\tab01.~<', '<<: ', '&a ', '*a', '---\n', '- '))
        .map((parts) => text(...parts)),
    ),
    CBOR: fc.jsonValue().map((value) => encodeCbor(value)),
    Protobuf: fc
      .record({
        names: fc.array(fc.string()),
        ports: fc.array(fc.integer()),
        labels: fc.dictionary(fc.string(), fc.string()),
        lists: fc.dictionary(fc.string(), fc.array(fc.string())),
        free: fc.dictionary(fc.string(), fc.jsonValue()),
      })
      .map((object) => protobuf.encode(object as Parameters<typeof protobuf.encode>[0])),
  };
  /** Valid bytes with some replaced, or random ones. */
  const damaged = (seed: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> =>
    fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      fc.tuple(seed, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 })).map(([valid, changes]) => {
        const changed = Uint8Array.from(valid);
        for (const [at, byte] of changes) if (changed.length > 0) changed[at % changed.length] = byte;
        return changed;
      }),
    );
  for (const [name, { once, steps }] of Object.entries(DECODERS))
    it(`return a value or a DecodeError, the same with pauses: ${name}`, () => {
      fc.assert(
        fc.property(damaged(seeds[name] as fc.Arbitrary<Uint8Array>), (body) => {
          expect(outcome(() => runAtOnce(steps(body)))).toEqual(outcome(() => once(body)));
        }),
        { numRuns: 500 },
      );
    });
});

describe('One object with too many members', () => {
  const names = Array.from({ length: 31_251 }, (_, i) => `k${i}`);

  it.each([
    ['JSON', jsonSerializer, `{"data":{${names.map((name) => `"${name}":1`).join(',')}}}`],
    ['YAML', yamlSerializer, `data:\n${names.map((name) => `  ${name}: 1`).join('\n')}\n`],
  ] as const)('is rejected in %s', (_, serializer, text) => {
    const fewer = text.replace(/,?"?\s*k31250"?: ?1/, '');
    expect(Object.keys((serializer.decode(encodeUtf8(fewer)).value as { data: object }).data)).toHaveLength(
      31_250,
    );
    expect(() => serializer.decode(encodeUtf8(text))).toThrow('more than 31250 members in one object');
  });
});

describe('YAML of more than is read', () => {
  const many = (count: number, line: (i: number) => string): Uint8Array =>
    text(...Array.from({ length: count }, (_, i) => `${line(i)}\n`));

  it('is rejected where a mapping has too many pairs, repeated ones too, whatever follows', () => {
    for (const line of [(i: number) => `k${i}: 1`, () => 'a: 1', () => '? a']) {
      expect(() => decodeYaml(many(31_251, line))).toThrow('more than 31250 members in one object');
      const broken = text(new TextDecoder().decode(many(31_251, line)), '] - [');
      expect(() => decodeYaml(broken)).toThrow('more than 31250 members in one object');
    }
    expect(decodeYaml(many(31_250, (i) => `k${i}: 1`)).value).toHaveProperty('k31249', 1);
  });

  it('is rejected where it has too many anchors', () => {
    const anchors = (count: number): Uint8Array => many(count, (i) => `- &a${i} b`);
    expect(() => decodeYaml(anchors(31_251))).toThrow('more than 31250 anchors');
    expect(decodeYaml(anchors(31_250)).value).toHaveLength(31_250);
  });

  it('is rejected where it has too many values, or too many of them by aliases', () => {
    const list = (count: number, item: string): Uint8Array => text('[', `${item},`.repeat(count), ']');
    expect(decodeYaml(list(75_000, '{}')).value).toHaveLength(75_000);
    expect(() => decodeYaml(list(75_001, '{}'))).toThrow('more than 75000 values');
    const aliases = (count: number): Uint8Array =>
      text('b: [', '1,'.repeat(1000), ']\na: &a {k: 1}\nc: [', '*a,'.repeat(count), ']');
    // the mapping, its key and its value
    expect(decodeYaml(aliases(3333)).value).toHaveProperty('c.length', 3333);
    expect(() => decodeYaml(aliases(3334))).toThrow('more than 10000 values of aliases');
  });

  it('may have texts of any number of escapes', () => {
    const escapes = '\\n\\t\\"\\x41\\0\\\\a \\u00e9';
    const wanted = '\n\t"A\0\\a é';
    expect(decodeYaml(text('"', escapes.repeat(5_000), '"')).value).toBe(wanted.repeat(5_000));
    expect(decodeYaml(text('"', '\\n'.repeat(10_000), '"')).value).toBe('\n'.repeat(10_000));
  });
});
