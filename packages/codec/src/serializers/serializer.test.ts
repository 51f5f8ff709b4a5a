import {
  kubernetesVocabulary,
  objectMetaSchema,
  orchVocabulary,
  type Schema,
  StatusError,
  toHex,
} from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { encodeCbor } from '../cbor/cbor-encode.ts';
import { listSchema } from '../protobuf/list-schema.ts';
import { cborSerializer, createProtobufSerializer, jsonSerializer, yamlSerializer } from './serializer.ts';
import { bodyKind, requireKind, unrecognizedBody } from './unrecognized-body.ts';
import { decodeUtf8, encodeUtf8 } from './utf8.ts';

const configMap: Schema = {
  type: 'object',
  typeName: 'api.core.v1.ConfigMap',
  properties: {
    kind: { type: 'string' },
    apiVersion: { type: 'string' },
    metadata: { ...objectMetaSchema, tag: 1 },
    data: { type: 'object', additionalProperties: { type: 'string' }, tag: 2 },
  },
};
const schemas = new Map([
  ['v1 ConfigMap', configMap],
  ['v1 ConfigMapList', listSchema(configMap)],
]);
const protobuf = createProtobufSerializer(kubernetesVocabulary, (apiVersion, kind) =>
  schemas.get(`${apiVersion} ${kind}`),
);

describe('jsonSerializer', () => {
  it('round-trips a line', () => {
    const bytes = jsonSerializer.encode({ kind: 'K', a: '<' });
    expect(decodeUtf8(bytes)).toBe('{"kind":"K","a":"\\u003c"}\n');
    expect(jsonSerializer.decode(bytes).value).toEqual({ kind: 'K', a: '<' });
  });

  it('reports repeated fields only when strict', () => {
    const bytes = encodeUtf8('{"a":{"b":1,"b":2}}');
    expect(jsonSerializer.decode(bytes, { strict: true }).strictErrors).toEqual(['duplicate field "a.b"']);
    expect(jsonSerializer.decode(bytes).strictErrors).toEqual([]);
  });

  it('names the cause of a body that is not JSON', () => {
    expect(() => jsonSerializer.decode(encodeUtf8('{'))).toThrow(
      "couldn't get version/kind; json parse error: unexpected end of JSON input",
    );
  });
});

describe('yamlSerializer', () => {
  it('reports repeated keys: one error, or a warning each', () => {
    const { strictErrors, strictWarnings } = yamlSerializer.decode(encodeUtf8('a: 1\na: 2\nb: 1\nb: 2\n'), {
      strict: true,
    });
    expect(strictErrors).toEqual([
      'yaml: unmarshal errors:\n  line 2: key "a" already set in map\n  line 4: key "b" already set in map',
    ]);
    expect(strictWarnings).toEqual([
      'line 2: key "a" already set in map',
      'line 4: key "b" already set in map',
    ]);
  });
});

describe('cborSerializer', () => {
  it('round-trips a tagged map', () => {
    const bytes = cborSerializer.encode({ kind: 'K', a: 1 });
    expect(toHex(bytes)).toBe('d9d9f7a2446b696e64414b416101');
    expect(cborSerializer.decode(bytes).value).toEqual({ kind: 'K', a: 1 });
  });

  it('names the cause of an invalid body, and the kind of a body that is invalid below its root', () => {
    expect(() => cborSerializer.decode(encodeUtf8('{'))).toThrow(
      'unable to determine group/version/kind: unexpected EOF',
    );
    const body = encodeCbor({ kind: 'K', apiVersion: 'v1', a: null });
    body[body.length - 1] = 0xf7;
    expect(() => cborSerializer.decode(body)).toThrow(
      expect.objectContaining({ body: { kind: 'K', apiVersion: 'v1' } }),
    );
  });
});

describe('createProtobufSerializer', () => {
  it('round-trips objects, lists, Status', () => {
    const object = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'a', creationTimestamp: null },
      data: { x: 'y' },
    };
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason: 'Expired',
      code: 410,
    };
    const list = {
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { remainingItemCount: 0 },
      items: [{ metadata: object.metadata }],
    };
    for (const value of [object, status, list])
      expect(protobuf.decode(protobuf.encode(value)).value).toEqual(value);
  });

  it('supports DeleteOptions under every group version, and partial metadata in both versions', () => {
    const options = { kind: 'DeleteOptions', apiVersion: 'apps/v1', gracePeriodSeconds: 0 };
    expect(protobuf.decode(protobuf.encode(options)).value).toEqual(options);
    for (const version of ['v1', 'v1beta1']) {
      const partials = {
        kind: 'PartialObjectMetadataList',
        apiVersion: `meta.k8s.io/${version}`,
        metadata: {},
        items: null,
      };
      expect(protobuf.decode(protobuf.encode(partials)).value).toEqual(partials);
    }
  });

  it('rejects kinds without a Protobuf form, and invalid bytes', () => {
    expect(() => protobuf.encode({ apiVersion: 'x/v1', kind: 'K' })).toThrow(TypeError);
    expect(() => protobuf.decode(encodeUtf8('{}'))).toThrow('expected prefix [107 56 115 0]');
    const other = createProtobufSerializer(orchVocabulary, () => configMap).encode({
      apiVersion: 'x/v1',
      kind: 'K',
    });
    expect(() => protobuf.decode(other)).toThrow('no kind "K" is registered for version "x/v1"');
  });
});

describe('unrecognizedBody', () => {
  it.each([
    ['', '<empty>'],
    ['{"a":', '{"a":'],
    [`{"a":"${'x'.repeat(40)}`, `{"a":"${'x'.repeat(24)} ...`],
    ['[1]', '5b315d'],
  ])('summarizes %j', (body, summary) => {
    const error = unrecognizedBody('Pod', 'why', encodeUtf8(body));
    expect(error).toBeInstanceOf(StatusError);
    expect(error.message).toBe(`the object provided is unrecognized (must be of type Pod): why (${summary})`);
  });
});

describe('bodyKind', () => {
  it('returns the kind of a body; null has none', () => {
    expect(bodyKind({ apiVersion: 'apps/v1', kind: 'K' })).toEqual({ apiVersion: 'apps/v1', kind: 'K' });
    expect(bodyKind(null)).toEqual({ apiVersion: '', kind: '' });
    expect(() => bodyKind({ kind: 1 })).toThrow(
      "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
    );
    expect(() => bodyKind({ apiVersion: 'a/b/c' })).toThrow('unexpected GroupVersion string: a/b/c');
  });

  it('is required of objects without a built-in type', () => {
    expect(() => requireKind({ apiVersion: 'v1' }, encodeUtf8('{"apiVersion":"v1"}'))).toThrow(
      `Object 'Kind' is missing in '{"apiVersion":"v1"}'`,
    );
    expect(requireKind({ kind: 'K' }, encodeUtf8(''))).toBeUndefined();
  });
});
