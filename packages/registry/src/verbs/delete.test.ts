import { StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { DeleteRequest } from '../definition/resource-storage.ts';
import {
  createTestResource,
  everything,
  objectOf,
  type Page,
  pages,
  selecting,
  type TestResource,
} from '../objects/test-resource.fixture.ts';

async function remove(
  { verbs, context }: TestResource,
  request: DeleteRequest = {},
  dryRun = false,
): Promise<{ object: Page; removed: boolean }> {
  const { record, removed } = await verbs.delete(context({ dryRun }), 'a', request);
  return { object: objectOf(record), removed };
}

const held = { metadata: { finalizers: ['a.io/f'] } };

describe('delete', () => {
  it('removes an object, and returns it with the revision of its removal', async () => {
    const resource = createTestResource();
    await resource.create('a', { text: 't' });
    const { object, removed } = await remove(resource);
    expect([removed, object.text, object.metadata.resourceVersion]).toEqual([true, 't', '3']);
    await expect(resource.get('a')).rejects.toMatchObject({
      code: 404,
      message: 'pages.books.io "a" not found',
    });
    await expect(remove(resource)).rejects.toMatchObject({ code: 404 });
  });

  it('asks admission, unless it was asked about what the deletion is part of', async () => {
    const resource = createTestResource();
    const phases = async (isAdmitted: boolean): Promise<readonly string[]> => {
      await resource.create('a');
      resource.questions.length = 0;
      await resource.verbs.delete(resource.context({ isAdmitted }), 'a', {});
      return resource.questions.map(({ phase }) => phase);
    };
    expect(await phases(false)).toEqual(['mutate', 'validate']);
    expect(await phases(true)).toEqual([]);
  });

  it('marks an object with finalizers', async () => {
    const resource = createTestResource();
    await resource.create('a', held);
    const { object, removed } = await remove(resource);
    expect(removed).toBe(false);
    expect(object.metadata).toMatchObject({
      deletionTimestamp: '2024-01-02T03:04:05Z',
      deletionGracePeriodSeconds: 0,
      finalizers: ['a.io/f'],
      resourceVersion: '3',
    });
  });

  it('marks it once', async () => {
    const resource = createTestResource();
    await resource.create('a', held);
    await remove(resource);
    resource.clock.advance(60_000);
    expect((await remove(resource)).object.metadata).toMatchObject({
      deletionTimestamp: '2024-01-02T03:04:05Z',
      resourceVersion: '3',
    });
  });

  it('increments the generation, if any', async () => {
    const counted = {
      ...pages.strategy,
      prepareForCreate: (page: Page) => ({ ...page, metadata: { ...page.metadata, generation: 3 } }),
    };
    const resource = createTestResource({ definition: { ...pages, strategy: counted } });
    await resource.create('a', held);
    expect((await remove(resource)).object.metadata.generation).toBe(4);
  });

  it.each([
    ['Foreground', [], ['foregroundDeletion']],
    ['Orphan', [], ['orphan']],
    ['Background', [], undefined],
    ['Foreground', ['orphan', 'a.io/f'], ['a.io/f', 'foregroundDeletion']],
    ['Background', ['orphan', 'a.io/f'], ['a.io/f']],
    [undefined, ['orphan'], ['orphan']],
  ] as const)('%s makes of %j %j', async (propagationPolicy, finalizers, expected) => {
    const resource = createTestResource();
    await resource.create('a', { metadata: { finalizers } });
    const { object, removed } = await remove(resource, propagationPolicy ? { propagationPolicy } : {});
    expect([removed, removed ? undefined : object.metadata.finalizers]).toEqual([
      expected === undefined,
      expected,
    ]);
  });

  it('applies a later policy', async () => {
    const resource = createTestResource();
    await resource.create('a');
    await remove(resource, { propagationPolicy: 'Foreground' });
    expect((await remove(resource, { propagationPolicy: 'Orphan' })).object.metadata.finalizers).toEqual([
      'orphan',
    ]);
    expect((await remove(resource, { propagationPolicy: 'Background' })).removed).toBe(true);
  });

  it('checks preconditions', async () => {
    const resource = createTestResource();
    const { metadata } = await resource.create('a');
    await expect(remove(resource, { preconditions: { uid: 'other' } })).rejects.toMatchObject({
      code: 409,
      details: { name: 'a', group: 'books.io', kind: 'Page' },
      message: `Operation cannot be fulfilled on Page.books.io "a": the UID in the precondition (other) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    });
    await expect(remove(resource, { preconditions: { resourceVersion: '9' } })).rejects.toMatchObject({
      message: `Operation cannot be fulfilled on Page.books.io "a": the ResourceVersion in the precondition (9) does not match the ResourceVersion in record (2). The object might have been modified`,
    });
    const { uid = '', resourceVersion = '' } = metadata;
    expect((await remove(resource, { preconditions: { uid, resourceVersion } })).removed).toBe(true);
  });

  it('calls admission with the object, and keeps it if rejected', async () => {
    const resource = createTestResource({
      admission: {
        validate: async ({ operation }) => {
          if (operation === 'DELETE') throw StatusError.forbidden(undefined, '', 'no');
        },
      },
    });
    await resource.create('a', { text: 't' });
    await expect(remove(resource)).rejects.toMatchObject({ code: 403 });
    expect(resource.questions.slice(2)).toMatchObject([
      { phase: 'mutate', operation: 'DELETE', name: 'a', oldObject: { text: 't' } },
      { phase: 'validate', operation: 'DELETE', name: 'a' },
    ]);
    expect(resource.questions.at(-1)?.object).toBeUndefined();
    expect((await resource.get('a')).text).toBe('t');
  });

  it('returns the result of a dry run', async () => {
    const resource = createTestResource();
    await resource.create('a', held);
    const marked = await remove(resource, {}, true);
    expect([
      marked.removed,
      marked.object.metadata.deletionTimestamp,
      marked.object.metadata.resourceVersion,
    ]).toEqual([false, '2024-01-02T03:04:05Z', '2']);
    expect((await resource.get('a')).metadata).not.toHaveProperty('deletionTimestamp');
    await resource.replace('a', {});
    expect((await remove(resource, {}, true)).removed).toBe(true);
    expect((await resource.get('a')).metadata.resourceVersion).toBe('3');
  });
});

describe('deletion with a grace period', () => {
  const patient = {
    ...pages,
    strategy: {
      ...pages.strategy,
      graceSeconds: (_: Page, requested: number | undefined) => requested ?? 30,
    },
  };
  const marks = ({ metadata }: Page): readonly unknown[] => [
    metadata.deletionTimestamp,
    metadata.deletionGracePeriodSeconds,
  ];

  it('marks the object for the end of the period', async () => {
    const resource = createTestResource({ definition: patient });
    await resource.create('a');
    const { object, removed } = await remove(resource);
    expect([removed, ...marks(object)]).toEqual([false, '2024-01-02T03:04:35Z', 30]);
    expect(marks(await resource.get('a'))).toEqual(['2024-01-02T03:04:35Z', 30]);
  });

  it.each([
    [0, true],
    [-5, false],
    [10, false],
  ])('uses the requested period: %d', async (gracePeriodSeconds, gone) => {
    const resource = createTestResource({ definition: patient });
    await resource.create('a');
    const { object, removed } = await remove(resource, { gracePeriodSeconds });
    expect(removed).toBe(gone);
    if (!gone) expect(object.metadata.deletionGracePeriodSeconds).toBe(Math.max(1, gracePeriodSeconds));
  });

  it('takes other finalizers once the period is over, as kinds without one do', async () => {
    const resource = createTestResource({ definition: patient });
    await resource.create('a', held);
    await remove(resource, { gracePeriodSeconds: 10, propagationPolicy: 'Orphan' });
    await remove(resource, { propagationPolicy: 'Foreground' });
    const finalizers = async (): Promise<unknown> => (await resource.get('a')).metadata.finalizers;
    const before = await finalizers();
    await remove(resource, { gracePeriodSeconds: 0 });
    await remove(resource, { propagationPolicy: 'Foreground' });
    const own = held.metadata.finalizers;
    expect([before, await finalizers()]).toEqual([
      [...own, 'orphan'],
      [...own, 'foregroundDeletion'],
    ]);
  });

  it('can be shortened, and never extended', async () => {
    const resource = createTestResource({ definition: patient });
    await resource.create('a');
    await remove(resource);
    resource.clock.advance(5000);
    for (const gracePeriodSeconds of [undefined, 30, 60]) {
      const again = await remove(resource, gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds });
      expect(marks(again.object)).toEqual(['2024-01-02T03:04:35Z', 30]);
    }
    expect(marks((await remove(resource, { gracePeriodSeconds: 10 })).object)).toEqual([
      '2024-01-02T03:04:15Z',
      10,
    ]);
    expect((await remove(resource, { gracePeriodSeconds: 0 })).removed).toBe(true);
    await expect(resource.get('a')).rejects.toMatchObject({ code: 404 });
  });

  it('waits for finalizers after the period', async () => {
    const resource = createTestResource({ definition: patient });
    await resource.create('a', held);
    const { object, removed } = await remove(resource, { gracePeriodSeconds: 0 });
    expect([removed, ...marks(object)]).toEqual([false, '2024-01-02T03:04:05Z', 0]);
    await resource.replace('a', {});
    await expect(resource.get('a')).rejects.toMatchObject({ code: 404 });
  });

  it('keeps an object without finalizers until then', async () => {
    const resource = createTestResource({ definition: patient });
    await resource.create('a', held);
    await remove(resource);
    await resource.replace('a', {});
    expect(marks(await resource.get('a'))).toEqual(['2024-01-02T03:04:35Z', 30]);
  });

  it('returns the result of a dry run', async () => {
    const resource = createTestResource({ definition: patient });
    await resource.create('a');
    expect(await remove(resource, {}, true)).toMatchObject({ removed: false });
    expect(await remove(resource, { gracePeriodSeconds: 0 }, true)).toMatchObject({ removed: true });
    expect(marks(await resource.get('a'))).toEqual([undefined, undefined]);
  });
});

describe('a kind that orphans by default', () => {
  it('does so without a policy', async () => {
    const resource = createTestResource({ definition: { ...pages, defaultPropagation: 'Orphan' } });
    await resource.create('a');
    expect((await remove(resource)).object.metadata.finalizers).toEqual(['orphan']);
    await resource.verbs.delete(resource.context(), 'a', { propagationPolicy: 'Background' });
    await resource.create('a');
    expect((await remove(resource, { propagationPolicy: 'Background' })).removed).toBe(true);
  });
});

describe('deletion of a collection', () => {
  it('deletes each object separately, in its own namespace', async () => {
    const { create, verbs, context, names } = createTestResource();
    await create('a');
    await create('b', held);
    await create('a', {}, { namespace: 'y' });
    const everywhere = context({ namespace: '' });
    const { items } = await verbs.deleteCollection(everywhere, everything, {});
    expect(items.map((item) => objectOf(item).metadata)).toMatchObject([
      { name: 'a', namespace: 'x' },
      { name: 'b', namespace: 'x' },
      { name: 'a', namespace: 'y' },
    ]);
    expect(objectOf(items[1] as Page).metadata).not.toHaveProperty('deletionTimestamp');
    expect(await names({}, { namespace: '' })).toEqual(['b']);
  });

  it('deletes what is selected, or one page of it', async () => {
    const { create, verbs, context, names } = createTestResource();
    for (const name of ['a', 'b', 'c', 'd'])
      await create(name, { metadata: { labels: { odd: name === 'b' ? 'no' : 'yes' } } });
    const request = { ...selecting('odd=yes'), limit: 2 };
    const first = await verbs.deleteCollection(context(), request, {});
    expect([first.items.length, await names()]).toEqual([2, ['b', 'd']]);
    const next = first.continue ?? '';
    const rest = await verbs.deleteCollection(context(), { ...request, continue: next }, {});
    expect([rest.items.length, await names()]).toEqual([1, ['b']]);
  });

  it('deletes what there was at a version, of which no later one will do', async () => {
    const { create, verbs, context, names } = createTestResource();
    const { metadata } = objectOf(await create('a'));
    await create('b');
    const request = { ...everything, resourceVersion: Number(metadata.resourceVersion) };
    const { items } = await verbs.deleteCollection(context(), request, {});
    expect([items.length, await names()]).toEqual([1, ['b']]);
    const later = { ...request, resourceVersionMatch: 'NotOlderThan' } as const;
    expect((await verbs.deleteCollection(context(), later, {})).items).toHaveLength(1);
  });

  it('skips what was deleted concurrently, and stops at any other error', async () => {
    const resource = createTestResource({
      admission: {
        // admission requests have no name for collections
        mutate: async ({ operation, name: told, oldObject }) => {
          const name = oldObject?.metadata.name;
          if (operation === 'DELETE') expect(told).toBe('');
          if (operation === 'DELETE' && name === 'b')
            throw StatusError.notFound({ group: '', resource: 'x' }, 'b');
          if (operation === 'DELETE' && name === 'c') throw StatusError.forbidden(undefined, '', 'no');
          return undefined;
        },
      },
    });
    for (const name of ['a', 'b']) await resource.create(name);
    await resource.verbs.deleteCollection(resource.context(), everything, {});
    expect(await resource.names()).toEqual(['b']);
    await resource.create('c');
    const refused = resource.verbs.deleteCollection(resource.context(), everything, {});
    await expect(refused).rejects.toMatchObject({ code: 403 });
    expect(await resource.names()).toEqual(['b', 'c']);
  });
});
