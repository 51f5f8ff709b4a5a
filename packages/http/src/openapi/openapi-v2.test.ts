import { kubernetesVocabulary, orchVocabulary, type Schema } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/test-api.fixture.ts';
import { namespaces, notes, widgets } from '../testing/test-resources.fixture.ts';
import { v2Schema } from './openapi-v2-schema.ts';
import { namedIn, readFields, textOf } from './protobuf-fields.fixture.ts';

const v2 = (schema: object): object => v2Schema(schema as never, orchVocabulary);
const reference = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

describe('schemas in OpenAPI v2', () => {
  it('keep supported keywords', () => {
    const schema = {
      type: 'object',
      description: 'd',
      required: ['a'],
      properties: { a: { type: 'integer', minimum: 1 }, m: { type: 'object', additionalProperties: true } },
      'x-orch-map-type': 'atomic',
      'x-orch-validations': [{ rule: 'true' }],
    };
    expect(v2(schema)).toEqual(schema);
  });

  it('lose unsupported keywords', () => {
    expect(
      v2({ type: 'integer', default: 1, allOf: [{}], anyOf: [{}], oneOf: [{}], not: { type: 'string' } }),
    ).toEqual({ type: 'integer' });
  });

  it('have no type if nullable, and nullable fields are not required', () => {
    expect(
      v2({
        type: 'object',
        required: ['n', 's'],
        properties: { n: { type: 'array', nullable: true, items: { type: 'string' }, maxItems: 2 }, s: {} },
      }),
    ).toEqual({ type: 'object', required: ['s'], properties: { n: { maxItems: 2 }, s: {} } });
    expect(v2({ type: 'object', required: ['a'], additionalProperties: { nullable: true } })).toEqual({
      type: 'object',
      additionalProperties: {},
    });
  });

  it('list no fields if unknown fields are preserved', () => {
    const keeps = { 'x-orch-preserve-unknown-fields': true };
    expect(v2({ type: 'object', properties: { a: {} }, ...keeps })).toEqual(keeps);
    expect(v2({ type: 'array', items: { type: 'string' }, ...keeps })).toEqual(keeps);
    const embedded = { 'x-orch-embedded-resource': true, ...keeps };
    expect(v2({ type: 'object', required: ['kind', 'apiVersion'], properties: {}, ...embedded })).toEqual(
      embedded,
    );
    const kinds = { 'x-orch-group-version-kind': [{ group: 'g', version: 'v1', kind: 'K' }] };
    expect(v2({ description: 'd', properties: { spec: {} }, ...keeps, ...kinds })).toEqual({
      type: 'object',
      ...kinds,
    });
  });

  it('list what identifies a nullable embedded resource, and require what others require of it', () => {
    const identity = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: reference('M') };
    const embedded = { 'x-orch-embedded-resource': true };
    const required = ['spec', 'kind', 'apiVersion'];
    const properties = { ...identity, spec: { type: 'object', nullable: true } };
    expect(v2({ type: 'object', nullable: true, required, properties, ...embedded })).toEqual({
      properties: { ...identity, metadata: { $ref: '#/definitions/M' } },
      required,
      ...embedded,
    });
  });

  it('have no type where a custom kind gives none', () => {
    for (const keyword of ['x-orch-int-or-string', 'x-orch-preserve-unknown-fields'])
      expect(v2({ [keyword]: true, oneOf: [{ minimum: 1 }] })).toEqual({ [keyword]: true });
  });

  it('keep keywords beside references', () => {
    expect(v2({ description: 'd', default: {}, allOf: [reference('a.B')] })).toEqual({
      description: 'd',
      $ref: '#/definitions/a.B',
    });
    expect(v2(reference('a.B'))).toEqual({ $ref: '#/definitions/a.B' });
  });

  it('describe an int or string as a string', () => {
    expect(v2({ format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] })).toEqual({
      type: 'string',
      format: 'int-or-string',
    });
  });
});

const PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

describe('/openapi/v2', () => {
  it('describes everything in one document', async () => {
    const { status, headers, json } = await createTestApi().ask('GET', '/openapi/v2');
    expect([status, headers['content-type'], headers.vary]).toEqual([
      200,
      'application/json',
      ['Accept-Encoding', 'Accept'],
    ]);
    const { swagger, paths, definitions } = json as never as Record<string, Record<string, object>>;
    expect(swagger).toBe('2.0');
    expect(Object.keys(definitions ?? {})).toEqual(
      expect.arrayContaining(['io.orch.api.core.v1.Namespace', 'com.example.v1.Widget']),
    );
    expect(paths?.['/apis/example.com/v1/namespaces/{namespace}/widgets/{name}']).toMatchObject({
      get: {
        consumes: ['application/json', 'application/yaml'],
        produces: ['application/json', 'application/yaml'],
        schemes: ['https'],
        responses: {
          200: { description: 'OK', schema: { $ref: '#/definitions/com.example.v1.Widget' } },
          401: { description: 'Unauthorized' },
        },
      },
      patch: {
        consumes: [
          'application/json-patch+json',
          'application/merge-patch+json',
          'application/apply-patch+yaml',
        ],
        parameters: [
          { $ref: '#/parameters/body-78PwaGsr' },
          { name: 'dryRun', in: 'query', type: 'string', uniqueItems: true },
          { $ref: '#/parameters/fieldManager-7c6nTn1T' },
          { name: 'fieldValidation' },
          { $ref: '#/parameters/force-tOGGb0Yi' },
        ],
      },
      put: {
        parameters: [
          { name: 'body', schema: { $ref: '#/definitions/com.example.v1.Widget' } },
          {},
          { $ref: '#/parameters/fieldManager-Qy4HdaTW' },
          {},
        ],
      },
      parameters: [
        { name: 'name', in: 'path', required: true, type: 'string' },
        { $ref: '#/parameters/namespace-vgWSWtn3' },
        { $ref: '#/parameters/pretty-tJGM1-ng' },
      ],
    });
    expect(json).toMatchObject({
      parameters: {
        'body-78PwaGsr': {
          name: 'body',
          in: 'body',
          required: true,
          schema: { $ref: '#/definitions/io.orch.apimachinery.pkg.apis.meta.v1.Patch' },
        },
        'namespace-vgWSWtn3': { name: 'namespace', in: 'path', required: true, type: 'string' },
      },
      securityDefinitions: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
      security: [{ BearerToken: [] }],
      paths: {
        '/api/v1/': {
          get: { consumes: ['application/json', 'application/yaml', 'application/vnd.orch.protobuf'] },
        },
        '/version/': { get: { consumes: ['application/json'], operationId: 'getCodeVersion' } },
      },
    });
    expect(JSON.stringify(json)).not.toContain('#/components');
  });

  it('refers only to its definitions', async () => {
    for (const vocabulary of [orchVocabulary, kubernetesVocabulary]) {
      const { text, json } = await createTestApi({ vocabulary }).ask('GET', '/openapi/v2');
      const names = [...text.matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, name]) => name);
      expect(names.length).toBeGreaterThan(20);
      expect(Object.keys(json.definitions as object)).toEqual(expect.arrayContaining(names));
    }
  });

  it('has one ETag in all formats, and accepts it', async () => {
    const api = createTestApi();
    const { headers: plain } = await api.ask('GET', '/openapi/v2');
    const { headers, bytes, status } = await api.ask('GET', '/openapi/v2', { headers: { accept: PROTOBUF } });
    expect([status, headers['content-type'], headers.etag]).toEqual([
      200,
      'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
      plain.etag,
    ]);
    const fields = readFields(bytes);
    expect(fields.get(1)).toEqual([new TextEncoder().encode('2.0')]);
    // shared parameters, and what every operation needs
    const shared = namedIn(fields.get(10)?.[0] as Uint8Array);
    expect([...shared.keys()]).toEqual(expect.arrayContaining(['body-78PwaGsr', 'namespace-vgWSWtn3']));
    expect([...namedIn(fields.get(12)?.[0] as Uint8Array).keys()]).toEqual(['BearerToken']);
    const token = namedIn(fields.get(13)?.[0] as Uint8Array).get('BearerToken') as Uint8Array;
    expect(textOf(readFields(readFields(token).get(2)?.[0] as Uint8Array).get(2)?.[0])).toBe('authorization');
    const known = { 'if-none-match': String(plain.etag) };
    expect((await api.ask('GET', '/openapi/v2', { headers: known })).status).toBe(304);
    const other = { 'if-match': '"x"' };
    expect((await api.ask('GET', '/openapi/v2', { headers: other })).status).toBe(412);
    expect((await api.ask('GET', '/openapi/v2', { headers: { accept: 'application/yaml' } })).status).toBe(
      406,
    );
  });

  it('refers to shared parameters in Protobuf', async () => {
    const { bytes } = await createTestApi().ask('GET', '/openapi/v2', { headers: { accept: PROTOBUF } });
    const paths = readFields(readFields(bytes).get(8)?.[0] as Uint8Array).get(2) ?? [];
    const items = new Map(paths.map((pair) => [textOf(readFields(pair as Uint8Array).get(1)?.[0]), pair]));
    const item = readFields(items.get('/api/v1/namespaces/{namespace}/notes/{name}') as Uint8Array).get(
      2,
    )?.[0];
    const parameters = readFields(item as Uint8Array).get(9) ?? [];
    const references = parameters.flatMap((each) => readFields(each as Uint8Array).get(2) ?? []);
    expect(references.map((each) => textOf(readFields(each as Uint8Array).get(1)?.[0]))).toEqual([
      '#/parameters/namespace-vgWSWtn3',
      '#/parameters/pretty-tJGM1-ng',
    ]);
  });

  it('follows changes of the catalog', async () => {
    const api = createTestApi({ definitions: [namespaces, notes] });
    const { headers } = await api.ask('GET', '/openapi/v2');
    api.serve(widgets);
    const { headers: deferred, text } = await api.ask('GET', '/openapi/v2');
    expect(deferred.etag).not.toBe(headers.etag);
    expect(text).toContain('com.example.v1.Widget');
  });

  it('contains every keyword of schemas and all definitions in Protobuf', async () => {
    const spec: Schema = {
      type: 'object',
      maxProperties: 300,
      properties: {
        size: { type: 'number', minimum: 0.5, exclusiveMinimum: true, multipleOf: 0.5 },
        color: { type: 'string', enum: ['red', 'blue'], pattern: '^[a-z]+$', maxLength: 1_000_000 },
        parts: { type: 'array', items: { type: 'string' }, listType: 'set' },
        more: { type: 'object', additionalProperties: { type: 'integer', format: 'int64' } },
      },
    };
    const [version] = widgets.versions;
    const gadgets = {
      ...widgets,
      versions: [{ ...version, schema: { type: 'object', properties: { spec } } }],
    } as ResourceDefinition;
    const api = createTestApi({ definitions: [namespaces, gadgets] });
    const { bytes } = await api.ask('GET', '/openapi/v2', { headers: { accept: PROTOBUF } });
    const definitions = namedIn(readFields(bytes).get(9)?.[0] as Uint8Array);
    const { json } = await api.ask('GET', '/openapi/v2');
    expect([...definitions.keys()]).toEqual(Object.keys(json.definitions as object));
    const widget = readFields(definitions.get('com.example.v1.Widget') as Uint8Array);
    expect(widget.get(31)?.map((pair) => textOf(readFields(pair as Uint8Array).get(1)?.[0]))).toContain(
      'x-orch-group-version-kind',
    );
    const properties = namedIn(widget.get(25)?.[0] as Uint8Array);
    const written = readFields(properties.get('spec') as Uint8Array);
    expect(written.get(17)).toEqual([300]);
    const parts = namedIn(written.get(25)?.[0] as Uint8Array);
    const size = readFields(parts.get('size') as Uint8Array);
    expect([size.get(6), size.get(9), size.get(10)]).toEqual([[0.5], [0.5], [1]]);
    const color = readFields(parts.get('color') as Uint8Array);
    expect([color.get(11), textOf(color.get(13)?.[0])]).toEqual([[1_000_000], '^[a-z]+$']);
    expect(color.get(20)?.map((value) => textOf(readFields(value as Uint8Array).get(2)?.[0]))).toEqual([
      'red\n',
      'blue\n',
    ]);
  });
});
