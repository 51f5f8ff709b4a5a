import { type ApiObject, orchVocabulary, runAtOnce, type Schema, validateDnsSubdomain } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, test } from 'vitest';
import type { ResourceDefinition } from '../definition/resource-definition.ts';
import type { RequestContext } from '../definition/resource-storage.ts';
import { FieldOwnership } from './field-ownership.ts';

const spec = (name: string): Schema => ({
  type: 'object',
  properties: { [name]: { type: 'integer' }, kept: { type: 'string' } },
});

const schema = (name: string): Schema => ({
  type: 'object',
  properties: { spec: spec(name), status: { type: 'object', properties: { phase: { type: 'string' } } } },
});

interface Chapter extends ApiObject {
  readonly spec?: { readonly pages?: number; readonly count?: number; readonly kept?: string };
}

const rename = (
  object: Chapter,
  from: 'pages' | 'count',
  to: 'pages' | 'count',
  version: string,
): Chapter => {
  const { [from]: value, ...others } = object.spec ?? {};
  const renamed = { ...others, ...(value !== undefined && { [to]: value }) };
  return { ...object, apiVersion: `books.io/${version}`, ...(object.spec && { spec: renamed }) };
};

/** `pages` of version 1 is `count` in version 2, which is stored. */
const chapters: ResourceDefinition = {
  group: 'books.io',
  names: { plural: 'chapters', singular: 'chapter', kind: 'Chapter', listKind: 'ChapterList' },
  scope: 'Namespaced',
  dialect: 'built-in',
  versions: [
    { name: 'v2', served: true, storage: true, schema: schema('count') },
    {
      name: 'v1',
      served: true,
      storage: false,
      schema: schema('pages'),
      toStorage: (object) => rename(object, 'pages', 'count', 'v2'),
      fromStorage: (object) => rename(object, 'count', 'pages', 'v1'),
    },
  ],
  strategy: { validateName: validateDnsSubdomain },
};

const clock = createSteppedClock(Date.UTC(2024, 0, 1));
const ambient = {
  clock,
  random: { bytes: (into: Uint8Array) => into },
  vocabulary: orchVocabulary,
};

const applied = (
  ownership: FieldOwnership,
  ...parameters: Parameters<FieldOwnership['applySteps']>
): ApiObject => runAtOnce(ownership.applySteps(...parameters));

const by = (fieldManager: string, version: string): RequestContext =>
  ({ version, fieldManager, namespace: 'n', warn: () => {} }) as unknown as RequestContext;

const configuration = (version: string, content: object, metadata: object = {}) => ({
  apiVersion: `books.io/${version}`,
  kind: 'Chapter',
  metadata: { name: 'c', ...metadata },
  ...content,
});

const owned = (object: ApiObject): Record<string, unknown> =>
  Object.fromEntries(
    (object.metadata.managedFields ?? []).map(({ manager = '', fieldsV1 }) => [manager, fieldsV1]),
  );

describe('Owners in several versions', () => {
  const ownership = new FieldOwnership(chapters, ambient);
  const first = applied(
    ownership,
    by('one', 'v1'),
    '',
    undefined,
    configuration('v1', { spec: { pages: 3 } }),
    { force: false },
  );
  const stored = rename(first, 'pages', 'count', 'v2');

  test('share a field that has one name in each version', () => {
    const second = applied(
      ownership,
      by('two', 'v2'),
      '',
      stored,
      configuration('v2', { spec: { count: 3 } }),
      { force: false },
    );
    expect(owned(second)).toEqual({
      one: { 'f:spec': { 'f:pages': {} } },
      two: { 'f:spec': { 'f:count': {} } },
    });
  });

  test('conflict under the name that the owner has for it', () => {
    const change = () =>
      applied(ownership, by('two', 'v2'), '', stored, configuration('v2', { spec: { count: 4 } }), {
        force: false,
      });
    expect(change).toThrow('conflict with "one": .spec.pages');
  });

  test('lose what an update in another version changes', () => {
    const next = { ...stored, spec: { count: 5, kept: 'x' } } as ApiObject;
    expect(owned(runAtOnce(ownership.updateSteps(by('two', 'v2'), '', stored, next)))).toEqual({
      two: { 'f:spec': { 'f:count': {}, 'f:kept': {} } },
    });
  });

  test('remove in their own version what they applied in another one', () => {
    const moved = applied(
      ownership,
      by('one', 'v2'),
      '',
      stored,
      configuration('v2', { spec: { kept: 'x' } }),
      { force: false },
    );
    expect(moved).toMatchObject({ spec: { kept: 'x' } });
    expect(moved).not.toHaveProperty('spec.count');
  });

  test('are dropped if an object cannot be converted to their version', () => {
    const [current, old] = chapters.versions;
    const broken = new FieldOwnership(
      {
        ...chapters,
        versions: [
          current,
          {
            ...old,
            fromStorage: () => {
              throw new RangeError('no such version any more');
            },
          },
        ] as ResourceDefinition['versions'],
      },
      ambient,
    );
    const next = { ...stored, spec: { count: 5 } } as ApiObject;
    expect(owned(runAtOnce(broken.updateSteps(by('two', 'v2'), '', stored, next)))).toEqual({
      two: { 'f:spec': { 'f:count': {} } },
    });
  });
});

describe('A submitted manager of another group', () => {
  const entry = {
    manager: 'm',
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': {} },
  };
  const managersOf = (dialect: ResourceDefinition['dialect'], apiVersion: string): readonly string[] => {
    const managedFields = [{ ...entry, apiVersion }];
    const next = configuration('v2', { spec: { count: 1 } }, { managedFields }) as unknown as ApiObject;
    const ownership = new FieldOwnership({ ...chapters, dialect }, ambient);
    return Object.keys(owned(runAtOnce(ownership.updateSteps(by('two', 'v2'), '', undefined, next))));
  };

  test('leaves a custom object without owners, and is dropped elsewhere', () => {
    expect(managersOf('custom', 'v1')).toEqual([]);
    expect(managersOf('custom', 'books.io/v9')).toEqual(['two']);
    expect(managersOf('built-in', 'v1')).toEqual(['two']);
  });
});

describe('Writes do not own', () => {
  const withStatus = (
    resetFields?: readonly (readonly string[])[],
    main?: readonly (readonly string[])[],
  ): FieldOwnership =>
    new FieldOwnership(
      {
        ...chapters,
        versions: chapters.versions.map((version) => ({
          ...version,
          subresources: [
            {
              name: 'status',
              verbs: ['patch'],
              prepareForUpdate: (object) => object,
              ...(resetFields && { resetFields }),
            },
          ],
        })),
        strategy: { ...chapters.strategy, ...(main && { resetFields: main }) },
      },
      ambient,
    );
  const all = configuration('v2', { spec: { count: 1 }, status: { phase: 'x' } }, { labels: { a: 'b' } });
  const appliedTo = (ownership: FieldOwnership, subresource: string) =>
    owned(applied(ownership, by('m', 'v2'), subresource, undefined, all, { force: false })).m;
  const labels = { 'f:metadata': { 'f:labels': { 'f:a': {} } } };

  test('the status through the main endpoint if it is a subresource', () => {
    expect(appliedTo(withStatus(), '')).toEqual({ ...labels, 'f:spec': { 'f:count': {} } });
  });

  test('the spec through the status', () => {
    expect(appliedTo(withStatus(), 'status')).toEqual({ ...labels, 'f:status': { 'f:phase': {} } });
  });

  test('the reset fields of the kind', () => {
    const ownership = withStatus([['spec'], ['metadata']], [['spec'], ['status']]);
    expect(appliedTo(ownership, 'status')).toEqual({ 'f:status': { 'f:phase': {} } });
    expect(appliedTo(ownership, '')).toEqual(labels);
  });
});
