import { type JsonObject, runAtOnce } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertedV2DocumentSteps } from './converted-v2-document.ts';
import { encodeOpenApiV3Steps } from './openapi-v3-protobuf.ts';

const converted = (document: object) => runAtOnce(convertedV2DocumentSteps(document as JsonObject));

const THING = { $ref: '#/definitions/g.v1.Thing' };
const document = {
  swagger: '2.0',
  info: { title: 'backend', version: 'v1' },
  externalDocs: { url: 'https://example.com' },
  basePath: '/',
  paths: {
    '/apis/g/v1/things': {
      'x-item': 1,
      parameters: [{ $ref: '#/parameters/pretty' }],
      post: {
        description: 'create a Thing',
        operationId: 'createThing',
        tags: ['g_v1'],
        schemes: ['https'],
        consumes: ['application/json', 'application/yaml'],
        produces: ['application/json'],
        parameters: [
          { name: 'body', in: 'body', required: true, schema: THING },
          {
            name: 'dryRun',
            in: 'query',
            type: 'array',
            items: { type: 'string' },
            uniqueItems: true,
            maxItems: 1,
          },
        ],
        responses: { 201: { description: 'Created', schema: THING }, 401: { $ref: '#/responses/none' } },
        'x-orch-action': 'post',
      },
      get: { responses: { default: { description: 'all' }, 'x-more': true } },
    },
  },
  definitions: {
    'g.v1.Thing': {
      type: 'object',
      properties: { spec: { description: 'What it is.', $ref: '#/definitions/g.v1.Spec' } },
      allOf: [{ $ref: '#/definitions/g.v1.Base' }],
    },
    'g.v1.Base': {},
  },
  parameters: { pretty: { name: 'pretty', in: 'query', type: 'string', pattern: '.' } },
  responses: { none: { description: 'Unauthorized' } },
  securityDefinitions: {
    token: { type: 'apiKey', name: 'authorization', in: 'header' },
    login: { type: 'oauth2', flow: 'password', tokenUrl: 'https://example.com/t', scopes: {} },
  },
};

const WORDS = [
  ...['paths', '/a', 'get', 'parameters', 'responses', '200', 'schema', 'in', 'body', 'name', 'type'],
  ...['consumes', 'produces', 'definitions', 'properties', 'allOf', 'securityDefinitions', 'flow', 'scopes'],
  ...['info', 'externalDocs', 'required', 'x-a', '__proto__', '$ref', '#/definitions/a', '#/parameters/a'],
];

/** Values of the words of the language, in any place. */
const { value: anyObject } = fc.letrec<{ value: object; part: unknown }>((tie) => ({
  value: fc
    .array(fc.tuple(fc.constantFrom(...WORDS), tie('part')), { maxLength: 5 })
    .map((members) => Object.fromEntries(members)),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, -1, 1.5, ...WORDS),
    fc.array(tie('part'), { maxLength: 3 }),
    tie('value'),
  ),
}));

const anyDocument = anyObject.map((any) => ({
  ...any,
  paths: { '/a': { get: { ...any, parameters: [any, any] }, parameters: [any], put: any } },
  definitions: { a: any, b: any },
  ...{ parameters: any, responses: { a: any }, securityDefinitions: { a: any } },
}));

describe('a document of OpenAPI v2 as v3', () => {
  const { paths, components, ...rest } = converted(document);
  const item = paths['/apis/g/v1/things'] as never as { post: JsonObject; get: JsonObject };
  const reference = { $ref: '#/components/schemas/g.v1.Thing' };

  it('says what it is about', () => {
    expect(rest).toEqual({ openapi: '3.0.0', info: document.info, externalDocs: document.externalDocs });
  });

  it('has the body of a request beside its parameters', () => {
    expect(item).toMatchObject({
      'x-item': 1,
      parameters: [{ $ref: '#/components/parameters/pretty' }],
    });
    expect(item.post).toEqual({
      description: 'create a Thing',
      operationId: 'createThing',
      tags: ['g_v1'],
      'x-orch-action': 'post',
      parameters: [{ name: 'dryRun', in: 'query', schema: { type: 'array', uniqueItems: true } }],
      requestBody: {
        content: { 'application/json': { schema: reference }, 'application/yaml': { schema: reference } },
      },
      responses: {
        201: { description: 'Created', content: { 'application/json': { schema: reference } } },
        401: { $ref: '#/components/responses/none' },
      },
    });
    expect(item.get).toEqual({ responses: { default: { description: 'all' }, 'x-more': true } });
  });

  it('has what is shared in its components, in order', () => {
    expect(components).toEqual({
      schemas: {
        'g.v1.Base': {},
        'g.v1.Thing': {
          type: 'object',
          properties: {
            spec: { description: 'What it is.', allOf: [{ $ref: '#/components/schemas/g.v1.Spec' }] },
          },
          allOf: [{ $ref: '#/components/schemas/g.v1.Base' }],
        },
      },
      parameters: { pretty: { name: 'pretty', in: 'query', schema: { type: 'string' } } },
      responses: { none: { description: 'Unauthorized' } },
      securitySchemes: {
        token: document.securityDefinitions.token,
        login: { type: 'oauth2', flows: { password: { tokenUrl: 'https://example.com/t', scopes: {} } } },
      },
    });
    expect(Object.keys(components.schemas ?? {})).toEqual(['g.v1.Base', 'g.v1.Thing']);
  });

  it('takes the media types of the document where an operation names none', () => {
    const operation = {
      parameters: [{ name: 'body', in: 'body' }],
      responses: { 200: { schema: {} } },
    };
    const { paths } = converted({ consumes: ['a/b'], produces: ['c/d'], paths: { '/': { put: operation } } });
    expect(paths['/']).toEqual({
      put: {
        requestBody: { content: { 'a/b': { schema: {} } } },
        responses: { 200: { content: { 'c/d': { schema: {} } } } },
      },
    });
  });

  it.each([
    {},
    { info: 1, paths: [], definitions: 'x', parameters: null, securityDefinitions: 7 },
    { paths: { '/a': 1, '/b': { get: 2, put: { parameters: [3, null], responses: { 200: 4 } } } } },
    { definitions: JSON.parse('{"__proto__":{"properties":{"__proto__":{"$ref":"#/definitions/a"}}}}') },
  ])('leaves out what is no document: %j', (document) => {
    const v3 = converted(document);
    expect(Object.keys(v3)).toEqual(['openapi', 'info', 'paths', 'components']);
    expect(runAtOnce(encodeOpenApiV3Steps(v3)).length).toBeGreaterThan(0);
  });

  it('is made of any document, and can be sent in any form', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const v3 = converted(document);
        expect(JSON.parse(JSON.stringify(v3))).toEqual(v3);
        expect(runAtOnce(encodeOpenApiV3Steps(v3)).length).toBeGreaterThan(0);
      }),
    );
  });

  it('repeats a schema for eight media types at most', () => {
    const consumes = Array.from({ length: 100 }, (_, i) => `a/${i}`);
    const put = { consumes, parameters: [{ name: 'body', in: 'body' }] };
    const { requestBody } = (
      converted({ paths: { '/': { put } } }).paths['/'] as never as { put: JsonObject }
    ).put;
    expect(Object.keys((requestBody as JsonObject).content as object)).toEqual(consumes.slice(0, 8));
  });

  it('is made with pauses', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`/${i}`, { get: {} }]));
    expect([...convertedV2DocumentSteps({ paths: many })].length).toBeGreaterThan(5_000);
  });
});
