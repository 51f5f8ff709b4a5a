import {
  type JsonObject,
  type JsonValue,
  ObjectTooLargeError,
  runAtOnce,
  type Schema,
  type Steps,
} from '@ashlar/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileType } from './compile-type.ts';
import { collectStrictErrors } from './strict-errors.ts';
import { TypedContext } from './typed-context.ts';
import { compileTyped } from './typed-decode.ts';
import { readExactly } from './typed-exact.ts';

const META = 'k8s.io.apimachinery.pkg.apis.meta.v1';
const metadata: Schema = {
  type: 'object',
  typeName: `${META}.ObjectMeta`,
  properties: {
    name: { type: 'string' },
    generation: { type: 'integer', format: 'int64' },
    creationTimestamp: { type: 'string', format: 'date-time', alwaysPrinted: true },
    deletionTimestamp: { type: 'string', format: 'date-time', optional: true },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    managedFields: { type: 'array', items: { type: 'object', format: 'fields-v1' } },
  },
};
const port: Schema = {
  type: 'object',
  typeName: 'k8s.io.api.core.v1.ServicePort',
  properties: {
    name: { type: 'string' },
    port: { type: 'integer', format: 'int32', alwaysPrinted: true },
    targetPort: { intOrString: true, alwaysPrinted: true },
    weight: { type: 'integer', format: 'int32', optional: true },
  },
};
const kind: Schema = {
  type: 'object',
  typeName: 'k8s.io.api.core.v1.Thing',
  properties: {
    spec: {
      type: 'object',
      typeName: 'k8s.io.api.core.v1.ThingSpec',
      properties: {
        ports: { type: 'array', items: port },
        byName: { type: 'object', additionalProperties: port },
        rules: { type: 'array', items: { type: 'string' }, alwaysPrinted: true },
        selector: { type: 'object', properties: { a: { type: 'string' } }, optional: true },
        ca: { type: 'string', format: 'byte' },
        seen: { type: 'string', format: 'date-time-micro', optional: true },
        every: { type: 'string', format: 'duration', optional: true },
      },
    },
    metadata,
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
};
const codec = compileTyped(kind);

const decode = (value: JsonValue): JsonObject => codec.decode(value, () => {});
const spec = (value: JsonValue): unknown => decode({ spec: value }).spec;
function strictly(text: string): readonly string[] {
  const errors = collectStrictErrors();
  codec.decodeText(text, errors.report);
  return errors.texts;
}

describe('printing', () => {
  it('prints kind, apiVersion and metadata first, then the fields of the schema', () => {
    const text = JSON.stringify(decode({ apiVersion: 'v1', status: { phase: 'x' }, kind: 'Thing' }));
    expect(text).toBe(
      '{"kind":"Thing","apiVersion":"v1","metadata":{"creationTimestamp":null},"spec":{"rules":null},"status":{"phase":"x"}}',
    );
  });
  it('takes numbers for bytes', () => {
    expect(spec({ ca: [1, 2, null] })).toMatchObject({ ca: 'AQIA' });
    expect(codec.decodeText('{"spec":{"ca":[255],"ca":[1,2]}}', () => {}).spec).toMatchObject({ ca: 'AQI=' });
    expect(spec({ ca: [] })).not.toHaveProperty('ca');
    for (const [item, shown] of [
      ['256', 'number 256'],
      ['-1', 'number -1'],
      ['1.0', 'number 1.0'],
      ['"a"', 'string'],
      ['[1]', 'array'],
    ])
      expect(() => codec.decodeText(`{"spec":{"ca":[${item}]}}`, () => {})).toThrow(
        `json: cannot unmarshal ${shown} into Go struct field ThingSpec.spec.ca of type uint8`,
      );
  });

  it('omits empty fields, unless absence and zero differ', () => {
    expect(spec({ ports: [], byName: {}, ca: '', rules: [], selector: {} })).toEqual({
      rules: [],
      selector: {},
    });
    expect(spec({ ports: [{ weight: 0, name: '' }] })).toEqual({
      ports: [{ port: 0, targetPort: 0, weight: 0 }],
      rules: null,
    });
  });
  it('treats null as absent', () => {
    expect(spec({ ports: null, selector: null, seen: null, rules: null })).toEqual({ rules: null });
    expect(spec({ ports: [null] })).toEqual({ ports: [{ port: 0, targetPort: 0 }], rules: null });
    expect(decode(null)).toEqual(decode({}));
  });
  it('normalises times, durations and base64', () => {
    const object = decode({ metadata: { deletionTimestamp: '2024-01-02T03:04:05.9+02:00' } });
    expect(object.metadata).toMatchObject({ deletionTimestamp: '2024-01-02T01:04:05Z' });
    expect(spec({ seen: '2024-01-02T03:04:05.000123Z', every: '90m', ca: 'YR==\n' })).toEqual({
      rules: null,
      seen: '2024-01-02T03:04:05.000123Z',
      every: '1h30m0s',
      ca: 'YQ==',
    });
  });
  it('sorts maps', () => {
    const labels = (decode({ metadata: { labels: { b: '1', a: '2' } } }).metadata as JsonObject).labels;
    expect(JSON.stringify(labels)).toBe('{"a":"2","b":"1"}');
  });
  it('keeps raw values unchanged', () => {
    const entry = { 'f:spec': { '.': {} } };
    expect(decode({ metadata: { managedFields: [entry, null] } }).metadata).toMatchObject({
      managedFields: [entry, null],
    });
  });
});

describe('wrong types', () => {
  it.each<[JsonValue, string]>([
    [{ metadata: [] }, 'array into Go struct field Thing.metadata of type v1.ObjectMeta'],
    [{ metadata: { name: 1 } }, 'number into Go struct field ObjectMeta.metadata.name of type string'],
    [
      { metadata: { labels: { a: {} } } },
      'object into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      { metadata: { generation: 1.5 } },
      'number 1.5 into Go struct field ObjectMeta.metadata.generation of type int64',
    ],
    [
      { spec: { ports: [{ port: 2 ** 31 }] } },
      'number 2147483648 into Go struct field ServicePort.spec.ports.port of type int32',
    ],
    [{ spec: { ports: {} } }, 'object into Go struct field ThingSpec.spec.ports of type []v1.ServicePort'],
    [
      { spec: { byName: { x: 1 } } },
      'number into Go struct field ThingSpec.spec.byName of type v1.ServicePort',
    ],
    [{ spec: { seen: 1 } }, 'number into Go struct field ThingSpec.spec.seen of type string'],
    ['x', 'string into Go value of type v1.Thing'],
  ])('%j', (value, text) => {
    expect(() => decode(value)).toThrow(`json: cannot unmarshal ${text}`);
  });
  it.each<[JsonValue, string]>([
    [{ metadata: { creationTimestamp: '' } }, 'cannot parse "" as "2006"'],
    [{ metadata: { creationTimestamp: '2024-02-30T00:00:00Z' } }, 'day out of range'],
    [{ spec: { seen: '2024-01-02T03:04:05Z' } }, 'cannot parse "Z" as ".000000"'],
    [{ spec: { ca: 'YQ' } }, 'illegal base64 data at input byte 0'],
    [{ spec: { every: '1x' } }, 'time: unknown unit "x" in duration "1x"'],
  ])('%j', (value, text) => {
    expect(() => decode(value)).toThrow(text);
  });
  it('reports the first error, but invalid formats before all others', () => {
    expect(() => decode({ metadata: { name: 1, generation: 'x' } })).toThrow('ObjectMeta.metadata.name');
    expect(() => decode({ metadata: { name: 1, creationTimestamp: 'x' } })).toThrow('parsing time');
  });
  it('rejects integers of any length by their text', () => {
    const digits = '1'.repeat(100_000);
    expect(() => codec.decodeText(`{"metadata":{"generation":${digits}}}`, () => {})).toThrow(
      `number ${digits} into`,
    );
  });

  it('replaces escaped lone surrogates, which nothing could store', () => {
    const decoded = codec.decodeText(
      '{"metadata":{"name":"a\\ud800","labels":{"\\udc00":"\\ud83d\\ude00"}}}',
      () => {},
    );
    expect(decoded.metadata).toMatchObject({ name: 'a\ufffd', labels: { '\ufffd': '\ud83d\ude00' } });
  });

  it('rejects numbers that are not spelled as integers', () => {
    expect(() => codec.decodeText('{"metadata":{"generation":30.0}}', () => {})).toThrow('number 30.0 into');
    expect(() => codec.decodeText('{"metadata":{"generation":1e2}}', () => {})).toThrow('number 1e2 into');
    const big = codec.decodeText('{"metadata":{"generation":9223372036854775807}}', () => {});
    expect((big.metadata as JsonObject).generation).toBe(9223372036854775807n);
  });
});

describe('strictness', () => {
  it('reports unknown fields with their paths and drops them', () => {
    const errors = collectStrictErrors();
    const object = codec.decode(
      {
        x: { y: 1 },
        spec: { ports: [{ Port: 1 }], byName: { a: { z: 1 } } },
        metadata: { labels: { l: '1' }, n: 1 },
      },
      errors.report,
    );
    expect(errors.texts).toEqual([
      'unknown field "x"',
      'unknown field "spec.ports[0].Port"',
      'unknown field "spec.byName.a.z"',
      'unknown field "metadata.n"',
    ]);
    expect(object.x).toBeUndefined();
  });
  it('reports repeated keys in the order of the text, unknown ones once', () => {
    expect(
      strictly('{"a":1,"kind":"K","a":2,"metadata":{"labels":{"x":"1","x":"2"},"name":"a"},"kind":"L"}'),
    ).toEqual(['unknown field "a"', 'duplicate field "metadata.labels.x"', 'duplicate field "kind"']);
  });
  it.each([
    ['{"spec":{"ports":[{"name":1,"name":"a"}]}}', 'cannot unmarshal number into Go struct field'],
    ['{"metadata":{"labels":{"a":[],"a":"b"}}}', 'cannot unmarshal array into Go struct field'],
    ['{"kind":{},"kind":"b"}', 'cannot unmarshal object into Go struct field'],
    ['{"spec":1,"spec":{}}', 'cannot unmarshal number into Go struct field'],
    ['{"spec":{"selector":1,"selector":null}}', 'cannot unmarshal number into Go struct field'],
    ['{"spec":{"selector":{"a":1},"selector":null}}', 'cannot unmarshal number into Go struct field'],
    ['{"spec":{"ca":"YQ"},"spec":1}', 'illegal base64 data'],
    // a time that is none ends the decoding, whatever was of another type before
    ['{"metadata":1,"metadata":{"creationTimestamp":"x"}}', 'parsing time "x"'],
  ])('requires that earlier values of repeated keys have their type: %s', (text, message) => {
    expect(() => codec.decodeText(text, () => {})).toThrow(message);
  });
  it('merges the values of repeated keys', () => {
    const text =
      '{"metadata":{"name":"a","labels":{"x":"1"}},"metadata":{"name":null,"generation":1,"labels":{"y":"2"}},' +
      '"spec":{"ports":[{"port":1},{"port":2}]},"spec":{"ports":[{"name":"a"}],"selector":{}},"spec":{"selector":null}}';
    const object = codec.decodeText(text, () => {});
    expect(object.metadata).toEqual({
      name: 'a',
      generation: 1,
      creationTimestamp: null,
      labels: { x: '1', y: '2' },
    });
    expect(object.spec).toEqual({ ports: [{ name: 'a', port: 1, targetPort: 0 }], rules: null });
  });
  it('collects at most 100', () => {
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`x${i}`, 1]));
    expect(strictly(JSON.stringify(many))).toHaveLength(100);
  });
});

describe('any input', () => {
  const anything = fc.jsonValue().map((value) => value as JsonValue);
  const object = fc.record(
    {
      metadata: fc.record(
        { name: fc.string(), labels: fc.dictionary(fc.string(), fc.string()) },
        { requiredKeys: [] },
      ),
      spec: fc.record(
        {
          ports: fc.array(fc.record({ port: fc.nat(65535), name: fc.string() }, { requiredKeys: [] })),
          ca: fc.constant('YQ=='),
        },
        { requiredKeys: [] },
      ),
      other: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  it('decodes or rejects', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anything,
          object.map((value) => value as JsonValue),
        ),
        (value) => {
          try {
            decode(value);
          } catch (error) {
            expect((error as Error).name).toBe('TypedDecodeError');
          }
        },
      ),
    );
  });
  it('returns what decodes to itself, from values and from texts', () => {
    fc.assert(
      fc.property(object, (value) => {
        const decoded = decode(value as JsonValue);
        expect(decode(decoded)).toEqual(decoded);
        expect(codec.decodeText(JSON.stringify(value), () => {})).toEqual(decoded);
        expect(runAtOnce(codec.decodeTextSteps(JSON.stringify(value), () => {}))).toEqual(decoded);
      }),
    );
  });
});

describe('large objects', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      kind: { type: 'string' },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      ports: {
        type: 'array',
        items: {
          type: 'object',
          properties: { port: { type: 'integer' }, names: { type: 'array', items: { type: 'string' } } },
        },
      },
    },
  };
  const codec = compileTyped(schema);
  const value = {
    labels: Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`k${i}`, `${i}`])),
    ports: Array.from({ length: 3000 }, (_, i) =>
      i % 7 === 0 ? { port: i, x: null } : { port: i, names: ['a'] },
    ),
    unknown: [1, { a: 2 }],
  };
  it('are decoded equally with and without pauses', () => {
    const [once, slowly] = [collectStrictErrors(), collectStrictErrors()];
    const expected = codec.decode(value, once.report);
    let pauses = 0;
    const steps = codec.decodeSteps(value, slowly.report);
    let step = steps.next();
    for (; !step.done; step = steps.next()) pauses++;
    expect(step.value).toEqual(expected);
    expect(Object.keys(step.value.labels as object)).toEqual(Object.keys(expected.labels as object));
    expect(slowly.texts).toEqual(once.texts);
    expect(pauses).toBeGreaterThan(10);
    const text = JSON.stringify(value);
    expect(runAtOnce(codec.decodeTextSteps(text, () => {}))).toEqual(expected);
    const repeated = text.replace('{', '{"kind":"a","kind":"b",');
    const found = collectStrictErrors();
    expect(runAtOnce(codec.decodeTextSteps(repeated, found.report))).toEqual({ kind: 'b', ...expected });
    expect(found.texts[0]).toBe('duplicate field "kind"');
  });

  it('are rejected equally with and without pauses', () => {
    const wrong = { ...value, labels: { ...value.labels, k7: 7 } };
    const refusal = (decode: () => unknown): string => {
      try {
        decode();
      } catch (error) {
        return (error as Error).message;
      }
      throw new Error('decoded');
    };
    const expected = refusal(() => codec.decode(wrong, () => {}));
    expect(expected).toContain('cannot unmarshal number');
    expect(refusal(() => runAtOnce(codec.decodeSteps(wrong, () => {})))).toBe(expected);
    expect(refusal(() => runAtOnce(codec.decodeTextSteps(JSON.stringify(wrong), () => {})))).toBe(expected);
  });

  it('are decoded with as many pauses again where a key is repeated', () => {
    const pausesOf = (steps: Steps<unknown>): number => {
      let pauses = 0;
      while (!steps.next().done) pauses++;
      return pauses;
    };
    const text = JSON.stringify(value);
    const plain = pausesOf(codec.decodeTextSteps(text, () => {}));
    const repeated = pausesOf(codec.decodeTextSteps(text.replace('{', '{"kind":"a","kind":"b",'), () => {}));
    const reading = pausesOf(readExactly(compileType(schema), text, new TypedContext(() => {})));
    const decoding = pausesOf(codec.decodeSteps(value, () => {}));
    expect(repeated - plain - reading).toBeGreaterThanOrEqual(decoding);
  });

  it('are rejected for the first of many values that are no base64', () => {
    const bytes = compileTyped({
      type: 'object',
      properties: { data: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } } },
    });
    const data = Object.fromEntries(
      Array.from({ length: 3000 }, (_, i) => [`k${i}`, `${'AAEC'.repeat(i + 2)}A`]),
    );
    const text = JSON.stringify({ data: { a: 'AAEC', b: 'AAECA', ...data } });
    expect(() => bytes.decodeText(text, () => {})).toThrow('illegal base64 data at input byte 4');
  });

  it('are decoded with pauses also where their spelling matters', () => {
    const codec = compileTyped({ type: 'object', properties: { kind: { type: 'string' } } });
    const text = `{"a":[${'1.0,'.repeat(100_000)}1],"kind":"b","kind":"c"}`;
    const steps = codec.decodeTextSteps(text, () => {});
    let pauses = 0;
    let last = steps.next();
    for (; !last.done; pauses++) last = steps.next();
    expect(last.value).toEqual({ kind: 'c' });
    // there is one for each 1024 values, commas among them, besides those of the first pass
    expect(pauses).toBeGreaterThan(200);
  });
});

describe('recursive types', () => {
  const properties: Record<string, Schema> = { name: { type: 'string' } };
  const tree: Schema = { type: 'object', typeName: 'x.Tree', properties };
  properties.left = { ...tree, optional: true };
  properties.children = { type: 'array', items: tree };
  const trees = compileTyped(tree);

  it('decode', () => {
    const value = { name: 'a', left: { name: 'b' }, children: [{ name: 'c' }] };
    expect(trees.decode(value, () => {})).toEqual(value);
  });
  it('have a maximum nesting', () => {
    let value: JsonValue = {};
    for (let i = 0; i < 5000; i++) value = { children: [value] };
    expect(() => trees.decode(value, () => {})).toThrow('exceeded max depth');
    const text = '{"children":['.repeat(5000) + ']}'.repeat(5000);
    expect(() => trees.decodeText(text, () => {})).toThrow('exceeded max depth');
  });
});

describe('quantities', () => {
  const amounts: Schema = { type: 'object', additionalProperties: { type: 'string', format: 'quantity' } };
  const codec = compileTyped({
    type: 'object',
    typeName: 'a.Kind',
    properties: { limits: amounts, requests: amounts },
  });
  const of = (count: number): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`r${i}`, '1']));

  it('are decoded up to ten thousand in one object', () => {
    const object = { limits: of(5000), requests: of(5000) };
    expect(codec.decode(object, () => {})).toEqual({
      limits: expect.anything(),
      requests: expect.anything(),
    });
  });

  it.each([
    ['a value', (object: JsonObject) => codec.decode(object, () => {})],
    ['a value, with pauses', (object: JsonObject) => runAtOnce(codec.decodeSteps(object, () => {}))],
    ['a text', (object: JsonObject) => codec.decodeText(JSON.stringify(object), () => {})],
  ])('beyond that are too many, in %s', (_, decode) => {
    const object = { limits: of(5000), requests: of(5001) };
    expect(() => decode(object)).toThrow(
      new ObjectTooLargeError(undefined, 'more than 10000 quantities in one object'),
    );
  });
});
