import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResource } from './define-resource.ts';
import { causesOf, InMemoryResource } from './in-memory-resource.fixture.ts';

/** The oldest zod 4, as an application may have it besides the one of this repository. */
const { z: oldest } = (await import('zod-oldest' as string)) as { readonly z: typeof z };

let made = 0;
const jobs = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Job',
  spec: z
    .object({
      name: z.string().trim().toLowerCase().min(1),
      token: z.string().default(() => `token-${++made}`),
      from: z.int(),
      to: z.int(),
      limits: z.record(z.string().regex(/^[a-z]+$/), z.int()).optional(),
      even: z.array(z.int().refine((value) => value % 2 === 0, 'must be even')).optional(),
    })
    .refine(({ from, to }) => from <= to, { message: 'ends before it begins', path: ['to'] }),
  status: z.object({ text: z.string().trim() }).refine(({ text }) => text !== 'bad', 'is bad'),
});
const spec = { name: 'a', from: 1, to: 2 };
let resource: InMemoryResource;

beforeEach(() => {
  made = 0;
  resource = new InMemoryResource(jobs as never);
});

describe('a type with refinements', () => {
  it('rejects what they reject, with their messages at their paths', async () => {
    const create = (more: object) =>
      causesOf(resource.create({ metadata: { name: 'a' }, spec: { ...spec, ...more } }));
    expect(await create({ to: 0 })).toEqual(['spec.to: Invalid value: 0: ends before it begins']);
    expect(await create({ even: [2, 3] })).toEqual(['spec.even[1]: Invalid value: 3: must be even']);
    expect(await create({ limits: { CPU: 1 } })).toEqual([
      expect.stringMatching(/^spec\.limits\.CPU: Invalid value: 1: /),
    ]);
  });

  it('stores the strings that zod returns, applied once', async () => {
    const stored = await resource.create({ metadata: { name: 'a' }, spec: { ...spec, name: '  ABC ' } });
    expect(stored.spec).toEqual({ ...spec, name: 'abc', token: 'token-1' });
    const again = await resource.replace('a', {
      ...stored,
      spec: { ...(stored.spec as object), name: 'ABC' },
    } as never);
    expect(again.metadata.generation).toBe(1);
  });

  it('computes defaults for each object', async () => {
    for (const name of ['a', 'b']) await resource.create({ metadata: { name }, spec });
    const tokens = await Promise.all(
      ['a', 'b'].map(async (name) => ((await resource.get(name)).spec as { token: string }).token),
    );
    expect(new Set(tokens).size).toBe(2);
    expect(JSON.stringify(jobs.versions[0]?.schema)).not.toContain('token-');
  });

  it('validates and defaults the status when it is written', async () => {
    const stored = await resource.create({ metadata: { name: 'a' }, spec });
    const write = (text: string) => resource.replace('a', { ...stored, status: { text } } as never, 'status');
    expect(await causesOf(write('bad'))).toEqual(['status: Invalid value: {"text":"bad"}: is bad']);
    expect((await write(' good ')).status).toEqual({ text: 'good' });
  });

  it('accepts values stored before a refinement was added', async () => {
    const define = (kind: string, isValid: (text: string) => boolean) =>
      defineResource({
        group: 'example.com',
        version: 'v1',
        kind,
        spec: z.object({ a: z.string().refine(isValid, 'not so'), b: z.string().optional() }),
      });
    const { strategy } = define('Thing', (text) => text !== 'old');
    const object = (content: object) => ({ apiVersion: 'v1', kind: 'Thing', metadata: {}, spec: content });
    expect(strategy.validateUpdate?.(object({ a: 'old', b: 'x' }), object({ a: 'old' }))).toEqual([]);
    expect(strategy.validateUpdate?.(object({ a: 'old' }), object({ a: 'new' }))).toHaveLength(1);
  });

  it('does not run a pattern in an engine that may take very long', async () => {
    const slow = defineResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Slow',
      spec: z.object({ a: z.string().regex(/^(a+)+$/) }),
    });
    const created = new InMemoryResource(slow as never).create({
      metadata: { name: 'a' },
      spec: { a: `${'a'.repeat(200)}!` },
    });
    await expect(created).rejects.toThrow('should match');
  });

  it('accepts bigint integers for numbers of zod, and rejects them as zod.int does', async () => {
    const big = defineResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Big',
      spec: z.object({
        a: z
          .number()
          .refine((value) => value > 1)
          .optional(),
        b: z.int().optional(),
      }),
    });
    const bigs = new InMemoryResource(big as never);
    expect((await bigs.create({ metadata: { name: 'a' }, spec: { a: 9007199254740993n } })).spec).toEqual({
      a: 9007199254740993n,
    });
    await expect(bigs.create({ metadata: { name: 'b' }, spec: { b: 9007199254740993n } })).rejects.toThrow(
      'less than or equal to 9007199254740991',
    );
  });
});

describe('types of other versions of zod', () => {
  it('are supported by their structure', async () => {
    const old = defineResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Old',
      spec: oldest.object({
        a: oldest.string().trim().min(1),
        b: oldest.int().default(3),
        c: oldest
          .array(oldest.enum(['x', 'y']))
          .max(2)
          .optional(),
        d: oldest
          .number()
          .refine((value) => value > 1, 'too small')
          .optional(),
      }),
    });
    const olds = new InMemoryResource(old as never);
    expect((await olds.create({ metadata: { name: 'a' }, spec: { a: ' x ' } })).spec).toEqual({
      a: 'x',
      b: 3,
    });
    expect(await causesOf(olds.create({ metadata: { name: 'b' }, spec: { a: 'x', d: 1 } }))).toEqual([
      'spec.d: Invalid value: 1: too small',
    ]);
    await expect(olds.create({ metadata: { name: 'c' }, spec: { a: 'x', c: ['z'] } })).rejects.toThrow(
      'Unsupported value',
    );
  });
});
