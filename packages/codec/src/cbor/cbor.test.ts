import { type JsonValue, type Schema, toHex } from '@ashlar/core';
import { Encoder } from 'cbor-x';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeJsonText } from '../json/json-encode.ts';
import { DecodeError } from '../serializers/decode-error.ts';
import { compileCbor, plainCbor, selfDescribed } from './cbor.ts';
import { decodeCbor } from './cbor-decode.ts';
import { diagnoseCbor } from './cbor-diagnostic.ts';
import { encodeCbor } from './cbor-encode.ts';
import { cborKind } from './cbor-kind.ts';
import { MAXIMUM_CBOR_DEPTH, MAXIMUM_CBOR_ENTRIES } from './cbor-well-formed.ts';

const bytes = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const read = (hex: string): JsonValue => decodeCbor(bytes(hex)).value;
const written = (value: unknown): string => toHex(encodeCbor(value));

/** Decoded JSON values: integers beyond 2^53 are bigint. */
const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.maxSafeInteger(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
      fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
      fc.string({ unit: 'binary' }),
    ),
    fc.array(tie('value'), { maxLength: 30 }),
    fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { maxKeys: 30, noNullPrototype: true }),
  ),
})).value;

describe('encodeCbor', () => {
  it.each([
    [0, '00'],
    [23, '17'],
    [24, '1818'],
    [256, '190100'],
    [65_536, '1a00010000'],
    [4_294_967_296, '1b0000000100000000'],
    [-1, '20'],
    [-257, '390100'],
    [-(2 ** 53) + 1, '3b001ffffffffffffe'],
    [2n ** 63n - 1n, '1b7fffffffffffffff'],
    [-(2n ** 63n), '3b7fffffffffffffff'],
    [1.5, 'f93e00'],
    [-0, 'f98000'],
    [65_504.5, 'fa477fe080'],
    [2 ** -24, 'f90001'],
    [2 ** -25, 'fa33000000'],
    [0.1, 'fb3fb999999999999a'],
    [1e300, 'fb7e37e43c8800759c'],
    ['é', '42c3a9'],
    [[], '80'],
    [{ a: [true, null], skipped: undefined }, 'a1416182f5f6'],
    [Uint8Array.of(1, 2), 'd6420102'],
  ])('encodes %s as %s', (value, hex) => {
    expect(written(value)).toBe(hex);
  });

  it('encodes long texts with their length in bytes', () => {
    for (const text of [
      'x'.repeat(41),
      'é'.repeat(30),
      'x'.repeat(200) + 'é'.repeat(100),
      '€'.repeat(30_000),
    ])
      expect(read(written(text))).toBe(text);
  });

  it('sorts keys by their encoded form on request', () => {
    const value = { aa: 1, b: 2, é: 3, '': 4 };
    expect(diagnoseCbor(encodeCbor(value, { sortKeys: true }))).toBe(
      "{h'': 4, 'b': 2, 'aa': 1, '\\u00e9': 3}",
    );
    expect(diagnoseCbor(encodeCbor(value))).toBe("{'aa': 1, 'b': 2, '\\u00e9': 3, h'': 4}");
  });

  it('encodes integers as floats where they were floats', () => {
    const value = { a: [1, 1], b: { c: 2 } };
    expect(diagnoseCbor(encodeCbor(value, { integerFloats: ['a[1]', 'b.c'] }))).toBe(
      "{'a': [1, 1.0], 'b': {'c': 2.0}}",
    );
  });

  it('rejects what JSON cannot represent, and continues', () => {
    expect(() => encodeCbor({ a: Infinity })).toThrow('cbor: unsupported value: floating-point infinity');
    expect(() => encodeCbor([Number.NaN])).toThrow(TypeError);
    expect(() => encodeCbor(2n ** 63n)).toThrow('more than 64 bits');
    expect(() => encodeCbor([() => 0])).toThrow(TypeError);
    expect(written('a')).toBe('4161');
  });

  it('rejects values that contain themselves', () => {
    const value: Record<string, unknown> = { a: 1 };
    value.self = [value];
    expect(() => encodeCbor(value)).toThrow('a value that contains itself cannot be encoded');
    expect(() => encodeCbor(value, { sortKeys: true })).toThrow(TypeError);
  });

  it('encodes any depth', () => {
    let deep: JsonValue = [];
    for (let i = 0; i < 20_000; i++) deep = [deep];
    expect(encodeCbor(deep)).toHaveLength(20_001);
  });
});

describe('decodeCbor', () => {
  it.each([
    ['1817', 23],
    ['1b7fffffffffffffff', 2n ** 63n - 1n],
    ['3b001ffffffffffffe', -(2 ** 53) + 1],
    ['f98000', -0],
    ['fa7f7fffff', 3.4028234663852886e38],
    ['62c3a9', 'é'],
    ['42c3a9', 'é'],
    ['41ff', '\ufffd'],
    ['5f41614162ff', 'ab'],
    ['7f61616162ff', 'ab'],
    ['9f01ff', [1]],
    ['bf616101ff', { a: 1 }],
    ['a1695f5f70726f746f5f5f01', Object.fromEntries([['__proto__', 1]])],
    ['d9d9f7d9d9f701', 1],
    ['d5420102', 'AQI'],
    ['d6420102', 'AQI='],
    ['d7426869', '6869'],
    ['d682416161ff', undefined],
    ['d68241616162', ['YQ==', 'b']],
    ['c074323032342d30312d30325430333a30343a30355a', '2024-01-02T03:04:05Z'],
    ['c07819323032342d30312d30325430333a30343a30352b30323a3330', '2024-01-02T03:04:05+02:30'],
    ['c07819323032342d30312d30325430333a30343a30352b30303a3030', '2024-01-02T03:04:05Z'],
    ['c11a65937e05', '2024-01-02T03:07:49Z'],
    ['c1fbbff8000000000000', '1969-12-31T23:59:58.5Z'],
  ])('decodes %s', (hex, value) => {
    if (value === undefined) expect(() => read(hex)).toThrow(DecodeError);
    else expect(read(hex)).toStrictEqual(value);
  });

  it.each([
    ['', 'EOF'],
    ['18', 'unexpected EOF'],
    ['d8', 'unexpected EOF'],
    ['a16161', 'unexpected EOF'],
    ['5a7fffffff', 'unexpected EOF'],
    [
      '5bffffffffffffffff',
      'cbor: byte string length 18446744073709551615 is too large, causing integer overflow',
    ],
    ['0000', 'cbor: 1 bytes of extraneous data starting at index 1'],
    ['1c', 'cbor: invalid additional information 28 for type positive integer'],
    ['3f', 'cbor: invalid additional information 31 for type negative integer'],
    ['ff', 'cbor: unexpected "break" code'],
    ['bf6161ff', 'cbor: unexpected "break" code'],
    ['5f6161ff', 'cbor: wrong element type UTF-8 text string for indefinite-length byte string'],
    ['5f5fffff', 'cbor: indefinite-length byte string chunk is not definite-length'],
    ['9a7fffffff', 'cbor: exceeded max number of elements 1024 for CBOR array'],
    ['ba7fffffff', 'cbor: exceeded max number of key-value pairs 1024 for CBOR map'],
    ['a2416101616102', 'cbor: found duplicate map key "a" at map element index 1'],
    ['a10101', 'cbor: cannot unmarshal positive integer into Go value of type string'],
    ['a1804101', 'cbor: cannot unmarshal array into Go value of type string'],
    ['61ff', 'cbor: invalid UTF-8 string'],
    [
      'f7',
      'cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized',
    ],
    ['f814', 'cbor: invalid simple value 20 for type primitives'],
    ['f97e00', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN'],
    ['c24101', 'cbor: data item of cbor type tag is not accepted by protocol: bignum'],
    ['c04161', 'cbor: tag number 0 must be followed by text string, got byte string'],
    [
      'c06161',
      'cbor: cannot set a for time.Time: parsing time "a" as "2006-01-02T15:04:05Z07:00": cannot parse "a" as "2006"',
    ],
    [
      'c11b0000ffffffffffff',
      'cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: Time.MarshalText: year outside of range [0,9999]',
    ],
    [
      '1bffffffffffffffff',
      "cbor: cannot unmarshal positive integer into Go value of type int64 (18446744073709551615 overflows Go's int64)",
    ],
  ])('rejects %s: %s', (hex, message) => {
    expect(() => read(hex)).toThrow(new DecodeError(message));
  });

  it('reports the first error, but a repeated key before all others in its map', () => {
    expect(() => read('82a101f6f7')).toThrow('positive integer');
    expect(() => read('a3416101f0024162f7')).toThrow('simple value 16');
    expect(() => read('a34162f04161024161f6')).toThrow('found duplicate map key "a" at map element index 2');
  });

  it('limits depth and entries', () => {
    const deep = (levels: number): Uint8Array => new Uint8Array(levels + 1).fill(0x81, 0, levels);
    expect(decodeCbor(deep(MAXIMUM_CBOR_DEPTH)).value).toBeInstanceOf(Array);
    expect(() => decodeCbor(deep(MAXIMUM_CBOR_DEPTH + 1))).toThrow('exceeded max nested level 64');
    expect(() => decodeCbor(new Uint8Array(100_000).fill(0xc6))).toThrow('exceeded max nested level 64');
    const long = encodeCbor(Array.from({ length: MAXIMUM_CBOR_ENTRIES }, () => 0));
    expect(decodeCbor(long).value).toHaveLength(MAXIMUM_CBOR_ENTRIES);
    const endless = Uint8Array.of(0x9f, ...new Uint8Array(MAXIMUM_CBOR_ENTRIES + 1), 0xff);
    expect(() => decodeCbor(endless)).toThrow('exceeded max number of elements');
  });

  it('reports paths of floats with integer values', () => {
    expect(decodeCbor(bytes('a2416182f93c0001416bf94000'), { integerFloats: 'report' })).toEqual({
      value: { a: [1, 1], k: 2 },
      integerFloats: ['a[0]', 'k'],
    });
  });

  it('distinguishes keys that are not texts', () => {
    expect(read('a241800241caf5')).toEqual({ '\ufffd': true });
    expect(() => read('a24180024180f5')).toThrow('found duplicate map key');
  });

  it('round-trips', () => {
    fc.assert(
      fc.property(json, fc.boolean(), (value, sortKeys) => {
        expect(encodeJsonText(decodeCbor(encodeCbor(value, { sortKeys })).value, { sortKeys: true })).toBe(
          encodeJsonText(value, { sortKeys: true }),
        );
      }),
    );
  });

  it('decodes what another implementation encodes', () => {
    const other = new Encoder({ useRecords: false, tagUint8Array: false, variableMapSize: true });
    fc.assert(
      fc.property(json, (value) => {
        const text = encodeJsonText(value);
        // the other one encodes -0 as the integer 0
        fc.pre(!/(^|[[:,])-0([,\]}]|$)/.test(text));
        expect(encodeJsonText(decodeCbor(other.encode(value)).value)).toBe(text);
      }),
    );
  });

  it('decodes any bytes or throws a DecodeError', () => {
    const item = fc.array(
      fc.oneof(fc.nat(255), fc.constantFrom(0x81, 0xa1, 0x41, 0x61, 0x9f, 0xbf, 0xff, 0xc0, 0xd6)),
    );
    fc.assert(
      fc.property(item, (numbers) => {
        const input = Uint8Array.from(numbers);
        for (const run of [() => decodeCbor(input), () => plainCbor.decode(input), () => diagnoseCbor(input)])
          try {
            run();
          } catch (error) {
            expect(error).toBeInstanceOf(DecodeError);
          }
      }),
      { numRuns: 1000 },
    );
  });
});

const secret: Schema = {
  type: 'object',
  typeName: 'api.core.v1.Secret',
  properties: {
    kind: { type: 'string' },
    data: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } },
    replicas: { type: 'integer', format: 'int32' },
    ratios: { type: 'array', items: { type: 'number' } },
  },
};
const recursive: { properties: Record<string, Schema>; type: 'object' } = {
  type: 'object',
  properties: { raw: { type: 'string', format: 'byte' } },
};
recursive.properties.inner = recursive;

describe('compileCbor', () => {
  it('encodes bytes as bytes and fractions as floats', () => {
    const object = { kind: 'AQI=', data: { a: 'AQI=', b: '' }, replicas: 1, ratios: [1, 0.5] };
    const encoded = compileCbor(secret).encode(object);
    expect(diagnoseCbor(encoded)).toBe(
      "{'kind': 'AQI=', 'data': {'a': 22('\\u0001\\u0002'), 'b': 22(h'')}, 'replicas': 1, 'ratios': [1.0, 0.5]}",
    );
    expect(compileCbor(secret).decode(selfDescribed(encoded))).toEqual(object);
  });

  it('decodes bytes unchanged, whatever text they represent', () => {
    for (const tag of ['', 'd5', 'd6', 'd7']) {
      const text = tag === '' ? '4441514949' : '420102';
      const body = bytes(`a14464617461a14161${tag}${text}`);
      expect(compileCbor(secret).decode(body)).toEqual({ data: { a: tag === '' ? 'AQII' : 'AQI=' } });
    }
  });

  it('rejects floats for integers, and reports the kind of the body', () => {
    const body = bytes('a3446b696e6441534a61706956657273696f6e427631487265706c69636173f93c00');
    const error = fault(() => compileCbor(secret).decode(body));
    expect(error.message).toBe('cbor: cannot unmarshal primitives into Go value of type int32');
    expect(error.body).toEqual({ apiVersion: 'v1', kind: 'S' });
  });

  describe('of kinds with fields', () => {
    const kind: Schema = {
      type: 'object',
      properties: {
        apiVersion: { type: 'string' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        spec: { type: 'object', properties: { name: { type: 'string' } } },
        data: { type: 'object', format: 'raw-extension' },
      },
    };
    const decoded = (hex: string): JsonValue => compileCbor(kind).decode(bytes(hex));

    it('ignores what is wrong in fields that they do not have', () => {
      // an undefined value, repeated keys, and an integer beyond 64 bits
      for (const item of ['f7', 'a2416101416102', '1bffffffffffffffff'])
        expect(decoded(`a14473706563a2446e616d65416141 78${item}`.replace(' ', ''))).toEqual({
          spec: { name: 'a', x: null },
        });
      expect(() => decoded('a14473706563a1446e616d65f7')).toThrow('simple value 23');
    });

    it('takes integers for unknown fields, and refuses other keys that name none', () => {
      expect(decoded('a14473706563a2010220f7')).toEqual({ spec: { 1: 2, '-1': null } });
      for (const [key, type] of [
        ['d864446e616d65', 'tag'],
        ['f6', 'primitives'],
        ['80', 'array'],
      ])
        expect(() => decoded(`a14473706563a1${key}4161`)).toThrow(
          `cbor: cannot unmarshal ${type} into Go value of type string (map key is of type ${type} and cannot be used to match struct field name)`,
        );
      expect(decoded('a1466c6162656c73a1d86441614162')).toEqual({ labels: { a: 'b' } });
    });

    it('sorts the members of raw extensions, on all levels', () => {
      const raw = { z: [{ b: 1, a: 2 }], é: 1, A: 2 };
      const { data } = compileCbor(kind).decode(encodeCbor({ data: raw })) as { data: object };
      expect(JSON.stringify(data)).toBe('{"A":2,"z":[{"a":2,"b":1}],"é":1}');
      expect(JSON.stringify(plainCborOf({ data: raw }))).toContain('{"z":[{"b":1,"a":2}],');
    });

    it('takes a version that cannot be read for none', () => {
      expect(compileCbor(kind).decode(encodeCbor({ apiVersion: 'a/b/c' }))).toEqual({ apiVersion: '' });
      expect(compileCbor(kind).decode(encodeCbor({ apiVersion: 'a/b' }))).toEqual({ apiVersion: 'a/b' });
    });
  });

  it('accepts recursive schemas', () => {
    const object = { inner: { inner: { raw: 'AQI=' } } };
    expect(diagnoseCbor(compileCbor(recursive).encode(object))).toContain("22('");
    expect(compileCbor(recursive).decode(compileCbor(recursive).encode(object))).toEqual(object);
  });
});

const plainCborOf = (members: object): JsonValue =>
  plainCbor.decode(encodeCbor({ kind: 'A', apiVersion: 'v1', ...members }));

function fault(run: () => unknown): DecodeError {
  try {
    run();
  } catch (error) {
    if (error instanceof DecodeError) return error;
  }
  throw new Error('nothing was refused');
}

describe('plainCbor', () => {
  it('requires objects to name their kind', () => {
    const body = (value: object): Uint8Array => selfDescribed(encodeCbor(value));
    expect(plainCbor.decode(body({ kind: 'A', apiVersion: 'x/v1' }))).toEqual({
      kind: 'A',
      apiVersion: 'x/v1',
    });
    expect(() => plainCbor.decode(body({ apiVersion: 'v1', n: [1, 'ä'] }))).toThrow(
      new DecodeError("Object 'Kind' is missing in '55799({'apiVersion': 'v1', 'n': [1, '\\u00e4']})'"),
    );
    const unversioned = fault(() => plainCbor.decode(encodeCbor({ kind: 'A' })));
    expect(unversioned.message).toBe("Object 'apiVersion' is missing in '{'kind': 'A'}'");
    expect(unversioned.body).toEqual({ kind: 'A', apiVersion: '' });
    expect(() => plainCbor.decode(encodeCbor(null))).toThrow("Object 'Kind' is missing in 'null'");
    expect(() => plainCbor.decode(encodeCbor({ kind: 'A', apiVersion: 'a/b/c' }))).toThrow(
      "Object 'Kind' is missing",
    );
  });
});

describe('cborKind', () => {
  it('returns the kind of a body with errors below', () => {
    expect(cborKind(bytes('a2446b696e6461414161a2416101416102'))).toEqual({ apiVersion: '', kind: 'A' });
  });

  it.each([
    ['', 'EOF'],
    [
      '80',
      'cbor: cannot unmarshal array into Go value of type v1.TypeMeta (cannot decode CBOR array to struct without toarray option)',
    ],
    ['f5', 'cbor: cannot unmarshal primitives into Go value of type v1.TypeMeta'],
    [
      'f0',
      'cbor: data item of cbor type primitives is not accepted by protocol: simple value 16 is not recognized',
    ],
    ['4161', 'cbor: cannot unmarshal byte string into Go value of type v1.TypeMeta'],
    [
      'a1446b696e6401',
      'cbor: cannot unmarshal positive integer into Go struct field v1.TypeMeta.kind of type string',
    ],
    ['a2446b696e644161646b696e644162', 'cbor: found duplicate map key "kind" at map element index 1'],
    ['a2010001f6', 'cbor: found duplicate map key "1" at map element index 1'],
    [
      'a18001',
      'cbor: cannot unmarshal array into Go value of type string (map key is of type array and cannot be used to match struct field name)',
    ],
  ])('rejects %s', (hex, message) => {
    expect(() => cborKind(bytes(hex))).toThrow(
      new DecodeError(`unable to determine group/version/kind: ${message}`),
    );
  });
});

describe('diagnoseCbor', () => {
  it.each([
    ['a1412760', `{'\\'': ""}`],
    ['5f4161ff', "(_ 'a')"],
    ['9f01ff', '[_ 1]'],
    ['42c328', "h'c328'"],
    ['fb7e37e43c8800759c', '1.0e+300'],
    ['fb3eb0c6f7a0b5ed8d', '0.000001'],
    ['f8ff', 'simple(255)'],
    ['61ff', '61ff'],
  ])('prints %s as %s', (hex, text) => {
    expect(diagnoseCbor(bytes(hex))).toBe(text);
  });
});
