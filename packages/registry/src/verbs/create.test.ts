import { type ApiObject, StatusError } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResourceDefinition } from '../definition/resource-definition.ts';
import { createTestResource, objectOf, type Page, pages } from '../objects/test-resource.fixture.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('create', () => {
  it('sets the identity of an object', async () => {
    const { create } = createTestResource();
    expect(await create('a', { text: 't' })).toMatchObject({
      kind: 'Page',
      apiVersion: 'books.io/v1',
      metadata: {
        name: 'a',
        namespace: 'x',
        uid: expect.stringMatching(UUID),
        resourceVersion: '2',
        creationTimestamp: '2024-01-02T03:04:05Z',
        managedFields: [{ manager: 'test', operation: 'Update' }],
      },
      text: 't',
    });
  });

  it('names objects without a name where the kind says so', async () => {
    const definition = { ...pages, strategy: { ...pages.strategy, namesNewObjects: true } };
    const { create } = createTestResource({ definition });
    expect((await create('', {})).metadata.name).toMatch(UUID);
    expect((await create('', { metadata: { generateName: 'g-' } })).metadata.name).toMatch(/^g-.{5}$/);
    expect((await create('a', {})).metadata.name).toBe('a');
    await expect(createTestResource().create('', {})).rejects.toThrow('name or generateName is required');
  });

  it('ignores fields that only the server sets', async () => {
    const { create } = createTestResource();
    const metadata = {
      uid: 'mine',
      creationTimestamp: '2000-01-01T00:00:00Z',
      deletionTimestamp: '2000-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 5,
      selfLink: '/x',
    };
    const made = (await create('a', { metadata })).metadata;
    expect(made).not.toMatchObject({ uid: 'mine' });
    for (const name of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'])
      expect(made).not.toHaveProperty(name);
    expect(made.creationTimestamp).toBe('2024-01-02T03:04:05Z');
  });

  it('returns defaults of fields that the strategy removes in a dry run of a custom kind', async () => {
    const phase = { type: 'string', default: 'Waiting' } as const;
    const status = { type: 'object', default: { phase: 'New' }, properties: { phase } } as const;
    const definition: ResourceDefinition = {
      ...pages,
      dialect: 'custom',
      versions: [
        { name: 'v1', served: true, storage: true, schema: { type: 'object', properties: { status } } },
      ],
      strategy: {
        ...pages.strategy,
        prepareForCreate: ({ status: _, ...rest }: ApiObject & { status?: unknown }) => rest,
      },
    };
    const { create } = createTestResource({ definition });
    const dry = await create('a', { status: { phase: 'Over' } }, { dryRun: true });
    const made = await create('a', { status: { phase: 'Over' } });
    expect(dry).toMatchObject({ status: { phase: 'New' } });
    expect(made).toMatchObject({ status: { phase: 'New' } });
  });

  it('returns the resource version of a dry run as it was submitted', async () => {
    const { create } = createTestResource();
    const dry = await create('a', { metadata: { resourceVersion: '7' } }, { dryRun: true });
    expect(dry.metadata.resourceVersion).toBe('7');
    expect((await create('a', {}, { dryRun: true })).metadata.resourceVersion).toBeUndefined();
  });

  it('orders metadata', async () => {
    const { create } = createTestResource();
    const metadata = {
      finalizers: ['a.io/f'],
      labels: { a: 'b' },
      annotations: { c: 'd' },
      generateName: 'g-',
    };
    expect(Object.keys((await create('a', { metadata })).metadata)).toEqual([
      'name',
      'generateName',
      'namespace',
      'uid',
      'resourceVersion',
      'creationTimestamp',
      'labels',
      'annotations',
      'finalizers',
      'managedFields',
    ]);
  });

  it('rejects an existing name, and reports that the object is being deleted', async () => {
    const { create, verbs, context } = createTestResource();
    await create('a', { metadata: { finalizers: ['a.io/f'] } });
    const accepted = {
      code: 409,
      reason: 'AlreadyExists',
      details: { name: 'a', group: 'books.io', kind: 'pages' },
    };
    await expect(create('a')).rejects.toMatchObject({
      ...accepted,
      message: 'pages.books.io "a" already exists',
    });
    await expect(create('a', {}, { dryRun: true })).rejects.toMatchObject(accepted);
    await verbs.delete(context(), 'a', {});
    await expect(create('a')).rejects.toMatchObject({
      ...accepted,
      message: 'object is being deleted: pages.books.io "a" already exists',
    });
    expect((await create('a', {}, { namespace: 'y' })).metadata.namespace).toBe('y');
  });

  it('rejects an object with a resource version', async () => {
    const { create, engine } = createTestResource();
    await expect(create('a', { metadata: { resourceVersion: '7' } })).rejects.toMatchObject({
      code: 500,
      reason: '',
      message: 'resourceVersion should not be set on objects to be created',
    });
    expect(engine.get('/pages.books.io/x/a')).toBeUndefined();
    await create('a', { metadata: { resourceVersion: '0' } });
    // recorded: what is no unsigned number is ignored
    for (const resourceVersion of ['-1', 'x', '1.5'])
      await create(`b${resourceVersion}`, { metadata: { resourceVersion } });
  });

  it('rejects invalid objects with all errors', async () => {
    const { create, engine } = createTestResource();
    const refused = create('A b', { metadata: { labels: { 'x y': '' }, finalizers: ['plain?'] } });
    await expect(refused).rejects.toMatchObject({
      code: 422,
      details: { kind: 'Page', group: 'books.io', name: 'A b' },
    });
    const { details } = await refused.catch((error: StatusError) => error);
    expect((details as { causes: { field: string }[] }).causes.map(({ field }) => field)).toEqual([
      'metadata.name',
      'metadata.labels',
      'metadata.finalizers',
    ]);
    expect(engine.currentRevision()).toBe(1);
  });

  it('calls mutating admission with the submitted object, and validating admission with the final one', async () => {
    const { create, questions } = createTestResource({
      admission: { mutate: async ({ object }) => ({ ...object, text: 'mutated' }) as Page },
    });
    const made = await create('', { metadata: { generateName: 'g-' } }, { dryRun: true });
    expect(made.text).toBe('mutated');
    expect(questions.map(({ phase, operation, name, dryRun }) => [phase, operation, name, dryRun])).toEqual([
      ['mutate', 'CREATE', '', true],
      ['validate', 'CREATE', made.metadata.name, true],
    ]);
    expect(questions[0]).toMatchObject({
      resource: { group: 'books.io', version: 'v1', resource: 'pages' },
      kind: { kind: 'Page' },
      namespace: 'x',
      subresource: '',
      oldObject: undefined,
    });
    expect(questions[1]?.object).toMatchObject({ text: 'mutated', metadata: { uid: made.metadata.uid } });
  });

  it('stays in its namespace if admission takes that from its metadata', async () => {
    const { create } = createTestResource({
      admission: {
        mutate: async ({ object }) => ({ ...object, metadata: { name: object?.metadata.name } }) as Page,
      },
    });
    expect((await create('a')).metadata).toMatchObject({ name: 'a', namespace: 'x' });
  });

  it('keeps its managed fields if admission leaves some that cannot be read, with a warning', async () => {
    const leaving = async (managedFields: unknown) => {
      const { create, warnings } = createTestResource({
        admission: {
          mutate: async ({ object }) =>
            ({ ...object, metadata: { ...object?.metadata, managedFields } }) as unknown as Page,
        },
      });
      return { made: await create('a', { text: 'x' }, { fieldManager: 'sender' }), warnings };
    };
    const readable = { manager: 'm', operation: 'Update', apiVersion: 'books.io/v1', fieldsType: 'FieldsV1' };
    const kept = await leaving([readable]);
    expect(kept.made.metadata.managedFields).toMatchObject([readable]);
    expect(kept.warnings).toEqual([]);
    const restored = await leaving([readable, { ...readable, operation: 'Other' }]);
    expect(restored.made.metadata.managedFields).toMatchObject([{ manager: 'sender' }]);
    expect(restored.warnings).toEqual([
      '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: operation must be `Apply` or `Update`',
    ]);
  });

  it('stores nothing if admission rejects it', async () => {
    for (const phase of ['mutate', 'validate'] as const) {
      const { create, engine } = createTestResource({
        admission: { [phase]: () => Promise.reject(StatusError.forbidden(undefined, '', 'no')) },
      });
      await expect(create('a')).rejects.toMatchObject({ code: 403 });
      expect(engine.currentRevision()).toBe(1);
    }
  });

  it('drops duplicate owners, with one warning', async () => {
    const { create, warnings } = createTestResource();
    const owner = { apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' };
    const ownerReferences = [owner, { ...owner, controller: true }, owner, owner];
    expect((await create('a', { metadata: { ownerReferences } })).metadata.ownerReferences).toHaveLength(2);
    expect(warnings).toEqual([
      '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u',
    ]);
  });

  it('puts cluster-scoped objects into no namespace', async () => {
    const { create, engine } = createTestResource({ definition: { ...pages, scope: 'Cluster' } });
    expect((await create('a', { metadata: { namespace: 'x' } })).metadata).not.toHaveProperty('namespace');
    expect(engine.get('/pages.books.io/a')).toBeDefined();
  });

  it('stores an object with a lease if its kind has a time to live', async () => {
    const { create, clock, engine } = createTestResource({
      definition: { ...pages, strategy: { ...pages.strategy, leaseSeconds: () => 60 } },
    });
    await create('a');
    clock.advance(59_000);
    expect(engine.get('/pages.books.io/x/a')).toBeDefined();
    clock.advance(2000);
    expect(engine.get('/pages.books.io/x/a')).toBeUndefined();
  });
});

describe('generated names', () => {
  it('consist of the prefix and five characters', async () => {
    const { create } = createTestResource();
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-z]{1,70}-?$/), async (base) => {
        const { metadata } = await create('', { metadata: { generateName: base } });
        expect(metadata.name?.slice(0, -5)).toBe(base.slice(0, 58));
        expect(metadata.name?.slice(-5)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
        expect(metadata.generateName).toBe(base);
      }),
      { numRuns: 30 },
    );
  });

  it('are retried if they exist, eight times in all', async () => {
    let calls = 0;
    const random = { bytes: (into: Uint8Array) => into.fill(calls < 30 ? 7 : calls++) };
    const { create, questions } = createTestResource({ random });
    await create('', { metadata: { generateName: 'g-' } });
    await expect(create('', { metadata: { generateName: 'g-' } })).rejects.toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: expect.stringMatching(
        / already exists, the server was not able to generate a unique name for the object$/,
      ),
      details: { retryAfterSeconds: 1 },
    });
    expect(questions.filter(({ phase }) => phase === 'validate')).toHaveLength(1 + 8);
    calls = 30;
    await create('', { metadata: { generateName: 'g-' } });
  });

  it('are not used if a name is given', async () => {
    const { create } = createTestResource();
    expect((await create('n', { metadata: { generateName: 'g-' } })).metadata.name).toBe('n');
    await expect(create('n')).rejects.toMatchObject({ message: expect.stringMatching(/ already exists$/) });
    await expect(create('n', { metadata: { generateName: 'g-' } })).rejects.toMatchObject({
      message: expect.stringMatching(/ already exists, the server was not able to generate a unique name /),
      details: { retryAfterSeconds: 1 },
    });
    await expect(create('n', { metadata: { generateName: 'g-' } })).rejects.toThrow(
      'pages.books.io "n" already exists',
    );
  });
});

describe('concurrent creates', () => {
  it('have one winner', async () => {
    const { create, verbs, context } = createTestResource();
    const made = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => create('a', { text: `${i}` })),
    );
    const winners = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(winners).toHaveLength(1);
    expect(objectOf(await verbs.get(context(), { name: 'a' }))).toEqual(winners[0]);
  });
});
