import { runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/test-api.fixture.ts';
import type { OpenApiDocument } from './openapi-frame.ts';
import { encodeOpenApiV3Steps } from './openapi-v3-protobuf.ts';
import { namedIn, readFields, textOf } from './protobuf-fields.fixture.ts';

const PROTOBUF = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';

/** The message in a field. */
const within = (bytes: Uint8Array, ...path: readonly number[]): Uint8Array =>
  path.reduce((message, field) => readFields(message).get(field)?.[0] as Uint8Array, bytes);

function schemaOf(schema: object): Uint8Array {
  const document = { openapi: '3.0.0', paths: {}, components: { schemas: { a: schema } } };
  const schemas = within(runAtOnce(encodeOpenApiV3Steps(document as unknown as OpenApiDocument)), 5, 1);
  return within(namedIn(schemas).get('a') as Uint8Array, 1);
}

describe('documents in Protobuf', () => {
  it('contain the keywords of schemas', () => {
    const schema = readFields(
      schemaOf({
        type: 'integer',
        nullable: true,
        minimum: -1.5,
        maxLength: 300,
        enum: ['x'],
        description: 'd',
        'x-a': 1,
      }),
    );
    expect([schema.get(1), schema.get(13), schema.get(15)]).toEqual([[1], [-1.5], [300]]);
    expect([25, 34].map((field) => textOf(schema.get(field)?.[0]))).toEqual(['integer', 'd']);
    const pair = schema.get(36)?.[0] as Uint8Array;
    expect(textOf(within(pair, 1))).toBe('x-a');
    expect(textOf(within(pair, 2, 2))).toBe('1\n');
  });

  it('distinguish references from schemas, and booleans from members', () => {
    const parts = schemaOf({
      properties: { r: { $ref: '#/x' }, s: { type: 'string' } },
      allOf: [{ $ref: '#/y' }],
      additionalProperties: true,
    });
    const properties = namedIn(within(parts, 31));
    expect(textOf(within(properties.get('r') as Uint8Array, 2, 1))).toBe('#/x');
    expect(textOf(within(properties.get('s') as Uint8Array, 1, 25))).toBe('string');
    expect(textOf(within(parts, 26, 2, 1))).toBe('#/y');
    expect(readFields(within(parts, 32)).get(2)).toEqual([1]);
    const members = schemaOf({ additionalProperties: { type: 'string' } });
    expect(textOf(within(members, 32, 1, 1, 25))).toBe('string');
  });

  it('contain shared parameters and responses, and references to them', () => {
    const document = {
      openapi: '3.0.0',
      paths: {
        '/a': {
          parameters: [{ $ref: '#/p' }, { name: 'q' }],
          get: { responses: { 200: { $ref: '#/r' }, 404: { description: 'none' } } },
        },
      },
      components: { parameters: { p: { name: 'shared' } }, responses: { r: { description: 'yes' } } },
    };
    const bytes = runAtOnce(encodeOpenApiV3Steps(document as unknown as OpenApiDocument));
    const item = namedIn(within(bytes, 4)).get('/a') as Uint8Array;
    const [referred, own] = readFields(item).get(13) as readonly Uint8Array[];
    expect(textOf(within(referred as Uint8Array, 2, 1))).toBe('#/p');
    expect(textOf(within(own as Uint8Array, 1, 1))).toBe('q');
    const [first, second] = readFields(within(item, 4, 8)).get(2) as readonly Uint8Array[];
    expect(textOf(within(first as Uint8Array, 2, 2, 1))).toBe('#/r');
    expect(textOf(within(second as Uint8Array, 2, 1, 1))).toBe('none');
    expect(textOf(within(bytes, 5, 3, 1, 2, 1, 1))).toBe('shared');
    expect(textOf(within(bytes, 5, 2, 1, 2, 1, 1))).toBe('yes');
  });

  it('contain what only converted documents have', () => {
    const document = {
      externalDocs: { url: 'https://a' },
      paths: {
        '/a': {
          parameters: [{ name: 'q', allowEmptyValue: true }],
          get: {
            externalDocs: { description: 'more' },
            responses: { default: { description: 'any' }, 'x-a': 1, 200: { description: 'yes' } },
          },
        },
      },
      components: {
        securitySchemes: { login: { flows: { password: { tokenUrl: 'https://t', scopes: { s: 'all' } } } } },
      },
    };
    const bytes = runAtOnce(encodeOpenApiV3Steps(document as unknown as OpenApiDocument));
    expect(textOf(within(bytes, 8, 2))).toBe('https://a');
    const item = namedIn(within(bytes, 4)).get('/a') as Uint8Array;
    expect(readFields(within(item, 13, 1)).get(6)).toEqual([1]);
    expect(textOf(within(item, 4, 4, 1))).toBe('more');
    const responses = within(item, 4, 8);
    expect(textOf(within(responses, 1, 1, 1))).toBe('any');
    expect(readFields(responses).get(2)).toHaveLength(1);
    expect(textOf(within(responses, 2, 2, 1, 1))).toBe('yes');
    expect(textOf(within(responses, 3, 1))).toBe('x-a');
    const password = within(bytes, 5, 7, 1, 2, 1, 7, 2);
    expect(textOf(within(password, 2))).toBe('https://t');
    expect(textOf(within(password, 4, 1, 2))).toBe('all');
  });

  it.each([
    ['text', 3],
    [7, 1],
    [true, 2],
  ])('contain the default %j', (value, field) => {
    const [found] = readFields(within(schemaOf({ default: value }), 33)).get(field) ?? [];
    expect(typeof found === 'number' ? found : textOf(found)).toEqual(value === true ? 1 : value);
  });

  it('mark a default that has no field', () => {
    expect(readFields(schemaOf({ default: {} })).get(33)).toEqual([new Uint8Array(0)]);
  });

  it('have the paths and schemas of the JSON, and its ETag', async () => {
    const api = createTestApi();
    const path = '/openapi/v3/apis/example.com/v1';
    const { json, headers: plain } = await api.ask('GET', path);
    const { bytes, headers } = await api.ask('GET', path, { headers: { accept: PROTOBUF } });
    expect([headers['content-type'], headers.etag]).toEqual([PROTOBUF, plain.etag]);
    const { paths, components } = json as never as { paths: object; components: { schemas: object } };
    expect([...namedIn(within(bytes, 5, 1)).keys()]).toEqual(Object.keys(components.schemas));
    const items = namedIn(within(bytes, 4));
    expect([...items.keys()]).toEqual(Object.keys(paths));
    const item = items.get('/apis/example.com/v1/namespaces/{namespace}/widgets/{name}') as Uint8Array;
    expect(textOf(within(item, 10, 5))).toBe('patchExampleComV1NamespacedWidget');
    expect(readFields(item).get(13)).toHaveLength(3);
  });
});
