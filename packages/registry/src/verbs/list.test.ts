import { type ApiObject, type MaybePromise, parseFieldSelector } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResourceDefinition } from '../definition/resource-definition.ts';
import type { ListRequest, ObjectList } from '../definition/resource-storage.ts';
import {
  createTestResource,
  everything,
  objectOf,
  type Page,
  pages,
  selecting,
  type TestResource,
} from '../objects/test-resource.fixture.ts';

async function withPages(...names: readonly string[]): Promise<TestResource> {
  const resource = createTestResource();
  for (const name of names) await resource.create(name, { metadata: { labels: { name } } });
  return resource;
}

/** All pages of a list in order; other work may happen in between. */
async function paged(
  { verbs, context }: TestResource,
  request: Partial<ListRequest> & { readonly limit: number },
  between: () => Promise<unknown> = async () => {},
): Promise<{ names: string[]; versions: string[]; sizes: number[]; remaining: (number | undefined)[] }> {
  const all = {
    names: [] as string[],
    versions: [] as string[],
    sizes: [] as number[],
    remaining: [] as (number | undefined)[],
  };
  for (let next: string | undefined; next !== ''; ) {
    const asked = { ...everything, ...request, ...(next !== undefined && { continue: next }) };
    const page = await verbs.list(context(), asked);
    all.names.push(...page.items.map((item) => objectOf(item).metadata.name ?? ''));
    all.versions.push(page.resourceVersion);
    all.sizes.push(page.items.length);
    all.remaining.push(page.remainingItemCount);
    next = page.continue ?? '';
    await between();
  }
  return all;
}

describe('list', () => {
  it('returns a collection in the order of its keys, at one revision', async () => {
    const resource = await withPages('b', 'a', 'c');
    const result = await resource.verbs.list(resource.context(), everything);
    expect(result.items.map((item) => objectOf(item).metadata.name)).toEqual(['a', 'b', 'c']);
    expect([result.resourceVersion, result.continue, result.remainingItemCount]).toEqual([
      '4',
      undefined,
      undefined,
    ]);
  });

  it('is restricted to a namespace, or goes through all of them in byte order', async () => {
    const resource = createTestResource();
    for (const namespace of ['a', 'a-b', 'a0']) await resource.create('n', {}, { namespace });
    expect(await resource.names({}, { namespace: 'a' })).toEqual(['n']);
    const { items } = await resource.verbs.list(resource.context({ namespace: '' }), everything);
    expect(items.map((item) => objectOf(item).metadata.namespace)).toEqual(['a-b', 'a', 'a0']);
  });

  it('builds few indexes, however many requirements a selector has', async () => {
    const resource = createTestResource();
    const labels = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, 'v']));
    for (let i = 0; i < 70; i++) await resource.create(`p${i}`, { metadata: { labels } });
    await resource.create('other', { metadata: { labels: { ...labels, k19: 'w' } } });
    const terms = Object.keys(labels).map((key) => `${key}=v`);
    expect(await resource.names(selecting(`${terms.join(',')},!l`, 'metadata.name!=p1'))).toHaveLength(69);
    expect((await resource.engine.usage?.())?.indexes).toBe(4);
  });

  it('selects by labels and fields', async () => {
    const resource = await withPages('a', 'b', 'c');
    expect(await resource.names(selecting('name in (a,c)'))).toEqual(['a', 'c']);
    expect(await resource.names(selecting('', 'metadata.name!=b'))).toEqual(['a', 'c']);
    expect(await resource.names(selecting('name!=a', 'metadata.namespace=x,metadata.name=c'))).toEqual(['c']);
    expect(await resource.names(selecting('', 'metadata.namespace=y'))).toEqual([]);
  });

  it('reads the requested resource versions', async () => {
    const resource = await withPages('a', 'b', 'c');
    expect(await resource.names({ resourceVersion: 3, resourceVersionMatch: 'Exact' })).toEqual(['a', 'b']);
    expect(await resource.names({ resourceVersion: 3, limit: 5 })).toEqual(['a', 'b']);
    expect(await resource.names({ resourceVersion: 3 })).toEqual(['a', 'b', 'c']);
    const oneName = { fields: parseFieldSelector('metadata.name=c'), resourceVersion: 3 };
    expect(await resource.names({ ...oneName, limit: 5 })).toEqual(['c']);
    // this clock stands still, so that nothing that waits would end
    await expect(resource.names({ ...oneName, limit: 5, resourceVersion: 99 })).rejects.toMatchObject({
      code: 504,
      message: 'Timeout: Too large resource version: 99, current: 4',
    });
    expect(await resource.names({ ...oneName, limit: 5, resourceVersionMatch: 'Exact' })).toEqual([]);
    expect(
      await resource.names({ resourceVersion: 3, resourceVersionMatch: 'NotOlderThan', limit: 5 }),
    ).toEqual(['a', 'b', 'c']);
    expect(await resource.names({ resourceVersion: 0, limit: 1 })).toEqual(['a', 'b', 'c']);
    resource.engine.compact(3);
    await expect(resource.names({ resourceVersion: 2, resourceVersionMatch: 'Exact' })).rejects.toMatchObject(
      {
        code: 410,
        message: 'The resourceVersion for the provided list is too old.',
      },
    );
  });
});

describe('pages', () => {
  it('count the remaining items, unless something is selected', async () => {
    const resource = await withPages('a', 'b', 'c', 'd', 'e');
    expect(await paged(resource, { limit: 2 })).toEqual({
      names: ['a', 'b', 'c', 'd', 'e'],
      versions: ['6', '6', '6'],
      sizes: [2, 2, 1],
      remaining: [3, 1, undefined],
    });
    expect((await paged(resource, { limit: 2, ...selecting('name') })).remaining).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect((await paged(resource, { limit: 5 })).sizes).toEqual([5]);
  });

  it('end with the first where one object is named, unless they continue', async () => {
    const resource = await withPages('a', 'b', 'c');
    const fields = parseFieldSelector('metadata.name=b');
    expect(await paged(resource, { limit: 1, fields })).toMatchObject({ names: ['b'], sizes: [1] });
    const first = await resource.verbs.list(resource.context(), { ...everything, limit: 1 });
    const rest = await resource.verbs.list(resource.context(), {
      ...{ ...everything, fields, limit: 1, continue: first.continue as string },
    });
    expect([rest.items.length, rest.continue === '']).toEqual([1, false]);
  });

  it('end with the last object of a selected namespace, whatever is in others', async () => {
    const resource = createTestResource();
    for (const namespace of ['a', 'b'])
      for (const name of ['x', 'y', 'z']) await resource.create(name, {}, { namespace });
    const everywhere = resource.context({ namespace: '' });
    const fields = parseFieldSelector('metadata.namespace=a');
    const page = (limit: number, next?: string): MaybePromise<ObjectList> =>
      resource.verbs.list(everywhere, { ...everything, fields, limit, ...(next && { continue: next }) });
    expect(await page(3)).toMatchObject({ items: { length: 3 }, continue: '' });
    const first = await page(2);
    const rest = await page(2, first.continue);
    expect(rest.items.map((item) => objectOf(item).metadata.name)).toEqual(['z']);
  });

  it('have the requested length, however little is selected', async () => {
    const resource = createTestResource();
    for (let i = 0; i < 1200; i++) {
      const name = `n${String(i).padStart(4, '0')}`;
      await resource.create(name, i % 300 === 0 ? { metadata: { labels: { rare: 'yes' } } } : {});
    }
    expect(await paged(resource, { limit: 2, ...selecting('rare') })).toMatchObject({
      names: ['n0000', 'n0300', 'n0600', 'n0900'],
      sizes: expect.arrayContaining([2, 2]),
    });
  });

  it('return each object once, in any page size and with concurrent writes', async () => {
    const name = fc.stringMatching(/^[a-f]{1,2}$/);
    const names = fc.uniqueArray(name, { maxLength: 30 });
    const write = fc.record({ name, remove: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        names,
        fc.integer({ min: 1, max: 12 }),
        fc.array(write),
        async (before, limit, writes) => {
          const resource = await withPages(...before);
          const pending = [...writes];
          const between = async (): Promise<unknown> => {
            const next = pending.shift();
            if (next?.remove) return resource.remove(next.name).catch(() => {});
            return next && resource.create(next.name).catch(() => {});
          };
          const all = await paged(resource, { limit }, between);
          expect(all.names).toEqual([...before].sort());
          expect(new Set(all.versions).size).toBe(1);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('that are too old return an inconsistent continue token', async () => {
    const resource = await withPages('a', 'b', 'c');
    const first = await resource.verbs.list(resource.context(), { ...everything, limit: 1 });
    await resource.create('d');
    resource.engine.compact(resource.engine.currentRevision());
    const next = { ...everything, limit: 1, continue: first.continue ?? '' };
    const list = async (): Promise<ObjectList> => resource.verbs.list(resource.context(), next);
    const refused = await list().catch((error) => error);
    expect(refused).toMatchObject({
      code: 410,
      reason: 'Expired',
      message: expect.stringContaining('The provided continue parameter is too old'),
    });
    const rest = await paged(resource, { limit: 1, continue: refused.metadata.continue });
    expect(rest.names).toEqual(['b', 'c', 'd']);
  });

  it('reject invalid tokens and those of other collections', async () => {
    const resource = await withPages('a', 'b');
    const { continue: token = '' } = await resource.verbs.list(resource.context({ namespace: '' }), {
      ...everything,
      limit: 1,
    });
    for (const bad of ['x', '', 'e30', token.slice(1)].filter((text) => text !== '')) {
      await expect(resource.names({ continue: bad })).rejects.toMatchObject({ code: 400 });
    }
  });
});

describe('fields', () => {
  const definition = (
    changes: Partial<ResourceDefinition>,
    names?: readonly string[],
  ): ResourceDefinition => ({
    ...pages,
    ...changes,
    versions: pages.versions.map((version) => ({
      ...version,
      ...(names && { selectableFields: { names, valueOf: (object) => (object as Page).text ?? '' } }),
    })),
  });
  const refusal = async (of: ResourceDefinition, fields: string): Promise<string> =>
    createTestResource({ definition: of })
      .names(selecting('', fields))
      .then(
        () => 'none',
        (error) => `${error.code} ${error.message}`,
      );

  it('of a kind without its own are those of every kind', async () => {
    expect(await refusal(pages, 'metadata.name=a,metadata.namespace=b')).toBe('none');
    expect(await refusal(pages, 'text=a')).toBe(
      '400 "text" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });

  it('of a kind are compared as strings', async () => {
    const resource = createTestResource({ definition: definition({}, ['text']) });
    await resource.create('a', { text: 'one' });
    await resource.create('b');
    expect(await resource.names(selecting('', 'text=one'))).toEqual(['a']);
    expect(await resource.names(selecting('', 'text='))).toEqual(['b']);
    expect(await refusal(definition({}, ['text']), 'other=a')).toBe('400 field label not supported: other');
  });

  it('of cluster-scoped kinds include a namespace only for built-in kinds', async () => {
    const cluster = { scope: 'Cluster' } as const;
    expect(await refusal(definition(cluster), 'metadata.namespace=a')).toBe('none');
    expect(await refusal(definition({ ...cluster, dialect: 'custom' }), 'metadata.namespace=a')).toBe(
      '400 field label not supported: metadata.namespace',
    );
    const without = definition(cluster, []);
    const [version] = without.versions;
    const names = { names: [], valueOf: () => '', withoutNamespace: true };
    const none = { ...without, versions: [{ ...version, selectableFields: names }] } as ResourceDefinition;
    expect(await refusal(none, 'metadata.namespace=a')).toBe(
      '400 field label not supported: metadata.namespace',
    );
  });
});

describe('selections', () => {
  const [version] = pages.versions;
  const fields = { names: ['text'], valueOf: (object: ApiObject) => (object as Page).text ?? '' };
  const definition = { ...pages, versions: [{ ...version, selectableFields: fields }] } as ResourceDefinition;

  /** Whether an object is selected, without using a selector. */
  const LABELS: Readonly<Record<string, (labels: Readonly<Record<string, string>>) => boolean>> = {
    '': () => true,
    'a=1': ({ a }) => a === '1',
    'a in (1,2)': ({ a }) => a === '1' || a === '2',
    'a!=1': ({ a }) => a !== '1',
    'a notin (1,2),b': ({ a, b }) => a !== '1' && a !== '2' && b !== undefined,
    b: ({ b }) => b !== undefined,
    '!b,a=2': ({ a, b }) => b === undefined && a === '2',
    'a=1,b=x': ({ a, b }) => a === '1' && b === 'x',
    'a>1': ({ a }) => a !== undefined && Number(a) > 1,
    'none=1': () => false,
  };
  const FIELDS: Readonly<Record<string, (page: Page) => boolean>> = {
    '': () => true,
    'text=t': ({ text }) => text === 't',
    'text=': ({ text }) => text === undefined,
    'text!=t': ({ text }) => text !== 't',
    'metadata.name=p7': ({ metadata }) => metadata.name === 'p7',
    'metadata.name!=p7,text=t': ({ metadata, text }) => metadata.name !== 'p7' && text === 't',
    'metadata.namespace=y': ({ metadata }) => metadata.namespace === 'y',
    'metadata.name=p7,metadata.namespace=x': ({ metadata }) =>
      metadata.name === 'p7' && metadata.namespace === 'x',
    'metadata.namespace=': () => false,
    'metadata.name=a/b': () => false,
  };

  it('equal a scan of every object, in pages and complete, while objects change', async () => {
    const resource = createTestResource({ definition });
    const random = fc.sample(fc.nat(1000), { numRuns: 400, seed: 1 });
    const made = (i: number): object => ({
      metadata: {
        labels: { ...(i % 2 && { a: String(i % 4) }), ...(i % 3 === 0 && { b: i % 6 ? 'x' : 'y' }) },
      },
      ...(i % 5 === 0 && { text: i % 10 ? 't' : 'u' }),
    });
    for (const [i, seed] of random.slice(0, 200).entries()) {
      await resource.create(`p${i % 100}`, made(seed), { namespace: i < 100 ? 'x' : 'y' });
    }
    for (const [i, seed] of random.slice(200, 240).entries()) {
      const all = (await resource.verbs.list(resource.context({ namespace: '' }), everything)).items.map(
        (item) => objectOf(item) as Page,
      );
      const limit = i % 2 === 0 ? undefined : 7;
      const texts = Object.keys(LABELS);
      for (const labelText of limit === undefined ? texts : [texts[seed % texts.length] as string]) {
        const byLabel = LABELS[labelText] as (typeof LABELS)[string];
        const [fieldText, byField] = Object.entries(FIELDS)[(i + seed) % 10] as [
          string,
          (page: Page) => boolean,
        ];
        const expected = all.filter((page) => byLabel(page.metadata.labels ?? {}) && byField(page));
        const found: string[] = [];
        for (let next: string | undefined; next !== ''; ) {
          const page = await resource.verbs.list(resource.context({ namespace: '' }), {
            ...selecting(labelText, fieldText),
            ...(limit !== undefined && { limit }),
            ...(next !== undefined && { continue: next }),
          });
          found.push(...page.items.map((item) => `${objectOf(item).metadata.uid}`));
          next = page.continue ?? '';
          // a page continues at its revision, whatever happens to the objects
          if (next !== '') await resource.replace(`p${seed % 100}`, made(seed + found.length));
        }
        const wanted = expected.map(({ metadata }) => `${metadata.uid}`);
        expect([labelText, fieldText, found]).toEqual([labelText, fieldText, wanted]);
      }
      await resource.replace(`p${seed % 100}`, made(seed + 1));
    }
  });
});
