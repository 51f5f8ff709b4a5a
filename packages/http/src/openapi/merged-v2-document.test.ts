import { orchVocabulary, runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { mergedV2DocumentSteps } from './merged-v2-document.ts';

const own = {
  swagger: '2.0',
  info: {},
  paths: { '/api/v1/': { get: {} } },
  definitions: { 'com.example.Shared': { type: 'object', 'x-orch-group-version-kind': [{ kind: 'A' }] } },
};
const merge = (...documents: readonly object[]): Record<'paths' | 'definitions', object> =>
  mergeAsTheyAre(...documents.map((document) => ({ paths: {}, ...document })));
const mergeAsTheyAre = (...documents: readonly object[]): Record<'paths' | 'definitions', object> =>
  runAtOnce(
    mergedV2DocumentSteps(
      own,
      documents.map((document) => ({ document: document as never, path: 'apis/g/v1' })),
      orchVocabulary,
    ),
  ) as never;

describe('the OpenAPI v2 document with those of other servers', () => {
  it('has their registered paths and all their definitions', () => {
    const { paths, definitions } = merge({
      paths: {
        '/apis/g/v1/things': { get: {} },
        '/apis/g/v2/things': {},
        '/api/v1/': { put: {} },
        '/other': {},
      },
      definitions: { 'com.example.Thing': { type: 'object' } },
    });
    expect(paths).toEqual({ '/api/v1/': { get: {} }, '/apis/g/v1/things': { get: {} } });
    expect(Object.keys(definitions)).toEqual(['com.example.Shared', 'com.example.Thing']);
  });

  it('has nothing of those without paths', () => {
    const definitions = { 'com.example.Thing': { type: 'object' } };
    expect(Object.keys(mergeAsTheyAre({ definitions }).definitions)).toEqual(['com.example.Shared']);
  });

  it('shares equal definitions, with the kinds of both', () => {
    const { definitions } = merge({
      definitions: { 'com.example.Shared': { type: 'object', 'x-orch-group-version-kind': [{ kind: 'B' }] } },
    });
    expect(definitions).toEqual({
      'com.example.Shared': { type: 'object', 'x-orch-group-version-kind': [{ kind: 'A' }, { kind: 'B' }] },
    });
  });

  it('gives others another name, also where they are referred to', () => {
    const reference = { $ref: '#/definitions/com.example.Shared' };
    const theirs = (type: string) => ({
      paths: { [`/apis/g/v1/${type}`]: { get: { schema: reference } } },
      definitions: {
        'com.example.Shared': { type },
        [`com.example.${type}`]: { items: [reference, { $ref: 'elsewhere' }] },
      },
    });
    const { paths, definitions } = merge(theirs('string'), theirs('integer'));
    expect(definitions).toMatchObject({
      'com.example.Shared': { type: 'object' },
      'com.example.Shared_v2': { type: 'string' },
      'com.example.Shared_v3': { type: 'integer' },
      'com.example.string': {
        items: [{ $ref: '#/definitions/com.example.Shared_v2' }, { $ref: 'elsewhere' }],
      },
    });
    expect(paths).toMatchObject({
      '/apis/g/v1/integer': { get: { schema: { $ref: '#/definitions/com.example.Shared_v3' } } },
    });
  });

  it('shares equal parameters, and gives others another name', () => {
    const merged = runAtOnce(
      mergedV2DocumentSteps(
        { ...own, parameters: { 'a-1': { name: 'a' }, 'b-1': { name: 'b' } } },
        [
          {
            document: {
              paths: {
                '/apis/g/v1/things': {
                  parameters: ['a-1', 'b-1'].map((name) => ({ $ref: `#/parameters/${name}` })),
                },
              },
              parameters: { 'a-1': { name: 'a' }, 'b-1': { name: 'b', description: 'Theirs.' } },
            },
            path: 'apis/g/v1',
          },
        ],
        orchVocabulary,
      ),
    );
    expect(merged).toMatchObject({
      parameters: {
        'a-1': { name: 'a' },
        'b-1': { name: 'b' },
        'b-1_v2': { name: 'b', description: 'Theirs.' },
      },
      paths: {
        '/apis/g/v1/things': { parameters: [{ $ref: '#/parameters/a-1' }, { $ref: '#/parameters/b-1_v2' }] },
      },
    });
  });

  it.each([{}, { paths: 1, definitions: [] }, { paths: { '/apis/g/v1/a': 2 }, definitions: { a: null } }])(
    'ignores what is no document: %j',
    (document) => {
      expect(merge(document)).toEqual(own);
    },
  );
});
