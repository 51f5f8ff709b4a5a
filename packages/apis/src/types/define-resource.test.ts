import { FieldErrors } from '@ashlar/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResource } from './define-resource.ts';
import { causesOf, InMemoryResource } from './in-memory-resource.fixture.ts';

const widgets = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  shortNames: ['wd'],
  categories: ['all'],
  spec: z.object({ size: z.int().min(1).default(1), color: z.string().optional() }),
  status: z.object({ ready: z.boolean() }),
  columns: [
    { name: 'Size', type: 'integer', cell: ({ spec }) => spec.size },
    { name: 'Ready', cell: ({ status }) => (status?.ready ? 'yes' : 'no'), priority: 1 },
  ],
  validate: ({ spec }, stored) =>
    stored && spec.size < stored.spec.size ? [FieldErrors.forbidden('spec.size', 'may only grow')] : [],
});
let resource: InMemoryResource;

beforeEach(() => {
  resource = new InMemoryResource(widgets);
});

describe('a defined resource type', () => {
  it('has the name of its kind', () => {
    expect(widgets).toMatchObject({
      group: 'example.com',
      names: {
        plural: 'widgets',
        singular: 'widget',
        kind: 'Widget',
        listKind: 'WidgetList',
        shortNames: ['wd'],
        categories: ['all'],
      },
      scope: 'Namespaced',
      dialect: 'custom',
    });
    const policies = defineResource({
      group: 'example.com',
      version: 'v2',
      kind: 'Policy',
      scope: 'Cluster',
      spec: z.object({}),
    });
    expect(policies).toMatchObject({
      names: { plural: 'policies' },
      scope: 'Cluster',
      versions: [{ name: 'v2', storage: true }],
    });
  });

  it('fills in defaults, in the first generation and without a status', async () => {
    const stored = await resource.create({
      metadata: { name: 'a', generation: 7 },
      spec: {},
      status: { ready: true },
    });
    expect(stored).toMatchObject({ metadata: { generation: 1 }, spec: { size: 1 } });
    expect(stored).not.toHaveProperty('status');
    expect(resource.cells(stored)).toEqual(['a', 1, 'no']);
  });

  it('prunes unknown fields', async () => {
    await expect(resource.create({ metadata: { name: 'a' }, spec: { weight: 1 } })).rejects.toThrow(
      'unknown field "spec.weight"',
    );
  });

  it('reports values that do not match its types', async () => {
    const refused = resource.create({ metadata: { name: 'a' }, spec: { size: 0, color: 7 } });
    expect(await causesOf(refused)).toEqual([
      'spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
      'spec.color: Invalid value: "integer": spec.color in body must be of type string: "integer"',
    ]);
    await expect(resource.create({ metadata: { name: 'a' } })).rejects.toThrow('spec: Required value');
  });

  it('runs its own rules, on valid objects only', async () => {
    const { metadata } = await resource.create({ metadata: { name: 'a' }, spec: { size: 2 } });
    const { resourceVersion = '' } = metadata;
    const shrunk = (size: number): Promise<unknown> =>
      resource.replace('a', { metadata: { name: 'a', resourceVersion }, spec: { size } });
    expect(await causesOf(shrunk(1))).toEqual(['spec.size: Forbidden: may only grow']);
    expect(await causesOf(shrunk(0))).toEqual([expect.stringContaining('greater than or equal to 1')]);
  });

  it('requires a version for replacements', async () => {
    await resource.create({ metadata: { name: 'a' }, spec: {} });
    await expect(resource.replace('a', { metadata: { name: 'a' }, spec: {} })).rejects.toThrow(
      'must be specified for an update',
    );
  });

  it('increments the generation with each change of the desired state', async () => {
    await resource.create({ metadata: { name: 'a' }, spec: {} });
    const generationAfter = async (change: object): Promise<unknown> =>
      (await resource.change('a', (object) => ({ ...object, ...change }))).metadata.generation;
    expect(await generationAfter({ spec: { size: 2 } })).toBe(2);
    expect(await generationAfter({ status: { ready: true } })).toBe(2);
    expect(
      await generationAfter({ metadata: { ...(await resource.get('a')).metadata, labels: { a: 'b' } } }),
    ).toBe(2);
  });

  it('accepts a status through its subresource only, and nothing else', async () => {
    await resource.create({ metadata: { name: 'a' }, spec: {} });
    const changed = await resource.change(
      'a',
      (object) => ({
        ...object,
        metadata: { ...(object.metadata as object), labels: { a: 'b' } },
        spec: { size: 9 },
        status: { ready: true },
      }),
      'status',
    );
    expect(changed).toMatchObject({
      metadata: { generation: 1 },
      spec: { size: 1 },
      status: { ready: true },
    });
    expect(changed.metadata).not.toHaveProperty('labels');
    const retained = await resource.change('a', ({ status: _, ...object }) => object);
    expect(retained.status).toEqual({ ready: true });
    const wrong = resource.change('a', (object) => ({ ...object, status: { ready: 'yes' } }), 'status');
    expect(await causesOf(wrong)).toEqual([expect.stringContaining('status.ready: Invalid value: "string"')]);
  });

  it('warns of new finalizers without a path', async () => {
    await resource.create({ metadata: { name: 'a', finalizers: ['plain', 'example.com/hold'] }, spec: {} });
    await resource.change('a', (object) => ({ ...object, spec: { size: 2 } }));
    expect(resource.warnings).toEqual([
      'metadata.finalizers: "plain": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ]);
  });
});

describe('a resource type without a status', () => {
  const plain = defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Plain',
    spec: z.looseObject({}),
  });

  it('has no subresource, and counts every field', async () => {
    expect(plain.versions[0]).not.toHaveProperty('subresources');
    const own = new InMemoryResource(plain);
    const stored = await own.create({ metadata: { name: 'a' }, spec: { anything: 1 } });
    expect(own.cells(stored)).toEqual(['a', '90s']);
    const changed = await own.change('a', (object) => ({ ...object, spec: { anything: 2 } }));
    expect(changed.metadata.generation).toBe(2);
  });
});

it('patterns have JavaScript syntax, as far as they run in linear time', () => {
  const define = (pattern: RegExp) =>
    defineResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Code',
      spec: z.object({ code: z.string().regex(pattern) }),
    });
  expect(() => define(/^(?!x)/)).toThrow(TypeError);
  const codes = define(/^[\u00e4\p{Lu}]+b$/iu);
  const errors = (code: string): readonly unknown[] =>
    codes.strategy.validate?.({ apiVersion: 'example.com/v1', kind: 'Code', metadata: {}, spec: { code } }) ??
    [];
  expect(errors('äB')).toEqual([]);
  expect(errors('1b')).toHaveLength(1);
});

it('types without a counterpart are rejected when they are declared', () => {
  const define = (): unknown =>
    defineResource({ group: 'example.com', version: 'v1', kind: 'Bad', spec: z.object({ big: z.bigint() }) });
  expect(define).toThrow(TypeError);
});

it('data of the host are served unchanged', async () => {
  const apiVersion = 'example.com/v1';
  const objects = new Map([
    ['a', { apiVersion, kind: 'Entry', metadata: { name: 'a' }, spec: { text: 'one' } }],
  ]);
  const entries = defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Entry',
    spec: z.object({ text: z.string() }),
    storage: { get: (_, { name }) => objects.get(name) ?? Promise.reject(new Error('none')) },
  });
  expect(Object.keys(entries.storage ?? {})).toEqual(['get']);
});
