import type { ApiObject, StatusError } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResourceDefinition, Strategy } from '../definition/resource-definition.ts';
import {
  createTestResource,
  everything,
  objectOf,
  type Page,
  pages,
} from '../objects/test-resource.fixture.ts';

const withStrategy = (changes: Partial<Strategy>): ResourceDefinition => ({
  ...pages,
  strategy: { ...pages.strategy, ...changes },
});

describe('update', () => {
  it('replaces user fields, and restores system fields', async () => {
    const { create, replace } = createTestResource();
    const before = await create('a', { metadata: { labels: { a: 'b' } }, text: 'one' });
    const after = await replace('a', {
      metadata: { creationTimestamp: '2000-01-01T00:00:00Z', generation: 9 },
      text: 'two',
    });
    expect(after).toMatchObject({
      text: 'two',
      metadata: { uid: before.metadata.uid, namespace: 'x', resourceVersion: '3' },
    });
    expect(after.metadata.creationTimestamp).toBe(before.metadata.creationTimestamp);
    for (const name of ['labels', 'generation']) expect(after.metadata).not.toHaveProperty(name);
  });

  it.each([
    ['between its steps, also if a small patch changes a large object', 100_000, true],
    ['never for small objects', 10, false],
  ])('pauses %s', async (_, length, isPaused) => {
    let pauses = 0;
    const turns = { requestBegan() {}, atEndOfTurn() {}, pause: async () => void pauses++ };
    const checked: number[] = [];
    const { create, verbs, context } = createTestResource({
      turns,
      definition: withStrategy({
        updateChecks: ['metadata-change', 'object'],
        validate: () => {
          checked.push(pauses);
          return [];
        },
        validateUpdate: () => {
          checked.push(pauses);
          return [];
        },
        warnings: () => {
          checked.push(pauses);
          return [];
        },
      }),
    });
    await create('a', { text: 'x'.repeat(length) });
    checked.length = 0;
    pauses = 0;
    await verbs.update(context(), {
      name: 'a',
      update: (current) => ({ ...(current as Page), metadata: { ...current?.metadata, labels: { a: 'b' } } }),
    });
    const [before = 0] = checked;
    expect(before > 2).toBe(isPaused);
    expect(pauses > (checked.at(-1) ?? 0) + 1).toBe(isPaused);
    if (!isPaused) expect(pauses).toBe(0);
  });

  it('keeps a mark of deletion if it creates the object', async () => {
    const { replace, create } = createTestResource({
      definition: withStrategy({ allowsCreateOnUpdate: true }),
    });
    const metadata = {
      uid: 'other',
      deletionTimestamp: '2000-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 3,
    };
    const { metadata: put } = await replace('a', { metadata });
    expect(put).toMatchObject({
      deletionTimestamp: metadata.deletionTimestamp,
      deletionGracePeriodSeconds: 3,
    });
    expect(put.uid).not.toBe('other');
    expect((await create('b', { metadata })).metadata).not.toHaveProperty('deletionTimestamp');
  });

  it('writes nothing if nothing changes', async () => {
    const { create, get, verbs, context, clock, engine } = createTestResource();
    await create('a', { metadata: { labels: { b: 'c' } }, text: 't' });
    const revision = engine.currentRevision();
    clock.advance(3_600_000);
    const { answer, created } = await verbs.update(context(), {
      name: 'a',
      update: (current) => current as ApiObject,
    });
    expect([objectOf(answer), created]).toEqual([await get('a'), false]);
    expect(engine.currentRevision()).toBe(revision);
  });

  it('writes nothing if only the order of members changes', async () => {
    const { create, replace, engine } = createTestResource({ definition: { ...pages, dialect: 'custom' } });
    const { metadata } = await create('a', { metadata: { labels: { a: '1', b: '2' } }, text: 'x' });
    const revision = engine.currentRevision();
    const again = await replace('a', { text: 'x', metadata: { labels: { b: '2', a: '1' } } });
    expect([engine.currentRevision(), again.metadata.resourceVersion]).toEqual([
      revision,
      metadata.resourceVersion,
    ]);
  });

  it('keeps the resource version of unchanged objects', async () => {
    const word = fc.stringMatching(/^[a-z]{1,5}$/);
    // decoders leave no empty maps
    const texts = fc.dictionary(word, word, { minKeys: 1 });
    await fc.assert(
      fc.asyncProperty(texts, texts, fc.string(), async (labels, annotations, text) => {
        const { create, replace, engine } = createTestResource();
        const {
          kind: _,
          apiVersion: __,
          ...made
        } = await create('a', { metadata: { labels, annotations }, text });
        const revision = engine.currentRevision();
        expect((await replace('a', made)).metadata.resourceVersion).toBe(made.metadata.resourceVersion);
        await replace('a', { metadata: { labels, annotations }, text });
        expect(engine.currentRevision()).toBe(revision);
      }),
      { numRuns: 40 },
    );
  });

  it('checks the resource version and uid of a write', async () => {
    const { create, replace, verbs, context } = createTestResource();
    const { metadata } = await create('a');
    await replace('a', { text: 'newer' });
    await expect(
      replace('a', { metadata: { resourceVersion: metadata.resourceVersion }, text: 'x' }),
    ).rejects.toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on pages.books.io "a": the object has been modified; please apply your changes to the latest version and try again',
    });
    const update = (): ApiObject => ({ kind: 'Page', apiVersion: 'books.io/v1', metadata: { name: 'a' } });
    await expect(verbs.update(context(), { name: 'a', uid: 'other', update })).rejects.toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on pages.books.io "a": Precondition failed: UID in precondition: other, UID in object meta: ${metadata.uid}`,
    });
    // nothing has no uid
    await expect(verbs.update(context(), { name: 'absent', uid: 'other', update })).rejects.toMatchObject({
      code: 409,
      message:
        'Operation cannot be fulfilled on pages.books.io "absent": Precondition failed: UID in precondition: other, UID in object meta: ',
    });
  });

  it('of a subresource warns of nothing', async () => {
    const definition = withStrategy({ warnings: () => ['old'] });
    const status = {
      name: 'status',
      verbs: ['update'] as const,
      prepareForUpdate: (object: ApiObject) => object,
    };
    const versions = definition.versions.map((version) => ({ ...version, subresources: [status] }));
    const { create, verbs, context, warnings } = createTestResource({
      definition: { ...definition, versions },
    });
    await create('a');
    warnings.length = 0;
    const update = (current: ApiObject | undefined): ApiObject => ({ ...current, text: 'new' }) as ApiObject;
    await verbs.update(context(), { name: 'a', update, subresource: 'status' });
    expect(warnings).toEqual([]);
    await verbs.update(context(), { name: 'a', update });
    expect(warnings).toEqual(['old']);
  });

  it('requires a resource version if the kind does', async () => {
    const { create, replace } = createTestResource({
      definition: withStrategy({ allowsUnconditionalUpdate: false }),
    });
    const { metadata } = await create('a');
    for (const resourceVersion of [undefined, '', '0', '00']) {
      await expect(replace('a', { metadata: { resourceVersion } })).rejects.toMatchObject({
        code: 422,
        message:
          'pages.books.io "a" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
        details: { kind: 'pages' },
      });
    }
    await replace('a', { metadata: { resourceVersion: metadata.resourceVersion }, text: 'x' });
  });

  it('rejects changes of immutable fields', async () => {
    const { create, replace } = createTestResource();
    await create('a');
    const causes = async (metadata: object): Promise<readonly string[]> => {
      const error = (await replace('a', { metadata }).catch((thrown) => thrown)) as StatusError;
      return [...new Set((error.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`))];
    };
    expect(await causes({ uid: 'other' })).toEqual([
      'metadata.uid: Invalid value: "other": field is immutable',
    ]);
    expect(await causes({ deletionTimestamp: '2001-01-01T00:00:00Z' })).toEqual([
      'metadata.deletionTimestamp: Invalid value: 2001-01-01 00:00:00 +0000 UTC: field is immutable',
    ]);
    expect(await causes({ deletionGracePeriodSeconds: 5 })).toEqual([
      'metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable',
    ]);
  });

  it('retries on the newer object when another write came first, including admission', async () => {
    const { create, replace, verbs, context, get, questions } = createTestResource();
    await create('a', { text: '0' });
    questions.length = 0;
    let runs = 0;
    await verbs.update(context(), {
      name: 'a',
      update: async (current) => {
        if (runs++ === 0) await replace('a', { text: '10' });
        return { ...current, text: `${Number((current as Page).text) + 1}` } as Page;
      },
    });
    expect([runs, (await get('a')).text]).toEqual([2, '11']);
    expect(questions.filter(({ phase }) => phase === 'validate')).toHaveLength(3);
  });

  it('loses no concurrent update', async () => {
    const { create, verbs, context, get } = createTestResource();
    await create('a', { text: '0' });
    const increment = (current: ApiObject | undefined): ApiObject =>
      ({ ...current, text: `${Number((current as Page).text) + 1}` }) as Page;
    await Promise.all(
      Array.from({ length: 50 }, () => verbs.update(context(), { name: 'a', update: increment })),
    );
    expect((await get('a')).text).toBe('50');
  });

  it('calls admission with the old object and the new', async () => {
    const { create, replace, questions } = createTestResource();
    await create('a', { text: 'old' });
    questions.length = 0;
    await replace('a', { text: 'new' });
    expect(questions).toMatchObject([
      {
        phase: 'mutate',
        operation: 'UPDATE',
        name: 'a',
        oldObject: { text: 'old' },
        object: { text: 'new' },
      },
      {
        phase: 'validate',
        operation: 'UPDATE',
        name: 'a',
        oldObject: { text: 'old' },
        object: { text: 'new' },
      },
    ]);
  });
});

describe('a patch', () => {
  it('compares owners once, after admission', async () => {
    const { create, verbs, context, warnings } = createTestResource();
    await create('a');
    const owner = { apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' };
    const update = (object: ApiObject | undefined): ApiObject =>
      ({ ...object, metadata: { ...object?.metadata, ownerReferences: [owner, owner] } }) as ApiObject;
    for (const isPatch of [false, true])
      await verbs.update(context({ dryRun: true }), { name: 'a', update, isPatch });
    expect(warnings.map((text) => text.includes('after mutating admission happens'))).toEqual([false, true]);
  });
});

describe('update of a missing object', () => {
  it('by an apply refuses a version that is no number', async () => {
    const { verbs, context } = createTestResource();
    const metadata = { name: 'a', resourceVersion: 'x' };
    const configuration = { apiVersion: 'books.io/v1', kind: 'Page', metadata };
    const apply = {
      configuration,
      force: false,
      // biome-ignore lint/correctness/useYield: nothing takes long
      *completeSteps(merged: ApiObject) {
        return merged;
      },
    };
    const request = { name: 'a', apply, createsAbsent: 'always' } as const;
    await expect(verbs.update(context(), request)).rejects.toMatchObject({ code: 500 });
  });

  it('is rejected unless the kind allows it', async () => {
    const { replace } = createTestResource();
    await expect(replace('a', {})).rejects.toMatchObject({
      code: 404,
      message: 'pages.books.io "a" not found',
    });
  });

  it('creates it if the kind allows that, with any resource version', async () => {
    const { verbs, context, questions } = createTestResource({
      definition: withStrategy({ allowsCreateOnUpdate: true }),
    });
    let asked = 0;
    const update = (): ApiObject =>
      ({
        kind: 'Page',
        apiVersion: 'books.io/v1',
        metadata: { name: 'a', resourceVersion: '77' },
      }) as ApiObject;
    const authorizeCreate = async (): Promise<void> => void asked++;
    const request = { name: 'a', createsAbsent: 'if-allowed' as const, update };
    const { answer, created } = await verbs.update(context({ authorizeCreate }), request);
    expect([created, asked, objectOf(answer).metadata.resourceVersion]).toEqual([true, 1, '2']);
    expect(questions.map(({ operation }) => operation)).toEqual(['CREATE', 'CREATE']);
    await expect(verbs.update(context(), { ...request, name: 'b', uid: 'u' })).rejects.toMatchObject({
      code: 409,
    });
  });

  it('is rejected if the caller may not create', async () => {
    const { replace, engine } = createTestResource({
      definition: withStrategy({ allowsCreateOnUpdate: true }),
    });
    const authorizeCreate = (): Promise<void> => Promise.reject(new Error('no'));
    await expect(replace('a', {}, { authorizeCreate })).rejects.toThrow('no');
    expect(engine.currentRevision()).toBe(1);
  });
});

describe('update of an object being deleted', () => {
  const held = { metadata: { finalizers: ['a.io/f', 'a.io/g'] } };

  it('removes it with its last finalizer', async () => {
    const { create, replace, verbs, context, clock, get } = createTestResource();
    await create('a', held);
    await verbs.delete(context(), 'a', {});
    clock.advance(5000);
    const retained = await replace('a', { metadata: { finalizers: ['a.io/g'] } });
    expect(retained.metadata).toMatchObject({
      deletionTimestamp: '2024-01-02T03:04:05Z',
      resourceVersion: '4',
    });
    const gone = await replace('a', { text: 'goodbye' });
    expect(gone).toMatchObject({
      text: 'goodbye',
      metadata: { resourceVersion: '4', deletionTimestamp: expect.any(String) },
    });
    await expect(get('a')).rejects.toMatchObject({ code: 404 });
  });

  it('answers the removed custom object with sorted members, as others', async () => {
    const { create, replace, verbs, context } = createTestResource({
      definition: { ...pages, dialect: 'custom' },
    });
    await create('a', held);
    await verbs.delete(context(), 'a', {});
    const gone = await replace('a', { text: 'goodbye' });
    expect(Object.keys(gone)).toEqual(['apiVersion', 'kind', 'metadata', 'text']);
    const members = Object.keys(gone.metadata);
    expect(members).toEqual([...members].sort());
  });

  it('rejects new finalizers', async () => {
    const { create, replace, verbs, context } = createTestResource();
    await create('a', held);
    await verbs.delete(context(), 'a', {});
    await expect(replace('a', { metadata: { finalizers: ['a.io/f', 'a.io/h'] } })).rejects.toMatchObject({
      code: 422,
    });
  });

  it('keeps what something else holds', async () => {
    const definition = withStrategy({ isHeld: (object) => (object as Page).text === 'held' });
    const { create, replace, verbs, context, get } = createTestResource({ definition });
    await create('a', { text: 'held' });
    await verbs.delete(context(), 'a', {});
    await replace('a', { metadata: { labels: { a: 'b' } }, text: 'held' });
    expect((await get('a')).metadata.labels).toEqual({ a: 'b' });
    await replace('a', { text: 'free' });
    await expect(get('a')).rejects.toMatchObject({ code: 404 });
  });
});

describe('a dry run', () => {
  it('changes nothing and returns the result', async () => {
    const text = fc.string({ maxLength: 5 });
    const step = fc.record({
      verb: fc.constantFrom('create', 'replace', 'delete', 'deleteCollection'),
      name: fc.constantFrom('a', 'b', 'c'),
      text,
      finalizers: fc.subarray(['a.io/f', 'a.io/g']),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step), fc.array(step), async (before, dry) => {
        const resource = createTestResource({ definition: withStrategy({ allowsCreateOnUpdate: true }) });
        const run = async (
          { verb, name, text: of, finalizers }: (typeof dry)[0],
          dryRun: boolean,
        ): Promise<unknown> => {
          const changes = { dryRun };
          const more = { metadata: { finalizers }, text: of };
          if (verb === 'create') return resource.create(name, more, changes);
          if (verb === 'replace') return resource.replace(name, more, changes);
          if (verb === 'delete') return resource.verbs.delete(resource.context(changes), name, {});
          return resource.verbs.deleteCollection(resource.context(changes), everything, {});
        };
        for (const one of before) await run(one, false).catch(refused);
        const state = JSON.stringify([resource.engine.currentRevision(), await contents(resource)]);
        for (const one of dry) await run(one, true).catch(refused);
        expect(JSON.stringify([resource.engine.currentRevision(), await contents(resource)])).toBe(state);
      }),
      { numRuns: 60 },
    );
  });

  it('returns a new object without a resource version, and a changed one with the current version', async () => {
    const { create, replace } = createTestResource();
    expect((await create('a', {}, { dryRun: true })).metadata).not.toHaveProperty('resourceVersion');
    const { metadata } = await create('a');
    const dry = await replace('a', { text: 't' }, { dryRun: true });
    expect([dry.text, dry.metadata.resourceVersion]).toEqual(['t', metadata.resourceVersion]);
  });
});

const refused = (error: unknown): void => expect(error).toHaveProperty('code');

async function contents({ verbs, context }: ReturnType<typeof createTestResource>): Promise<readonly Page[]> {
  const { items } = await verbs.list(context(), everything);
  return items.map(objectOf);
}
