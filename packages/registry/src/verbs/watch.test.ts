import { setImmediate } from 'node:timers/promises';
import type { Watch, WatchObserver } from '@ashlar/storage';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResourceVersion, SelectableFields } from '../definition/resource-definition.ts';
import type { WatchRequest } from '../definition/resource-storage.ts';
import {
  createTestResource,
  everything,
  objectOf,
  type Page,
  pages,
  selecting,
  type TestResource,
} from '../objects/test-resource.fixture.ts';

interface Received extends Disposable {
  readonly received: string[];
  readonly errors: Error[];
}

async function watch(
  { verbs, context }: TestResource,
  request: Partial<WatchRequest> = {},
): Promise<Received> {
  const received: string[] = [];
  const errors: Error[] = [];
  const watching = await verbs.watch(
    context(),
    { ...everything, allowBookmarks: false, ...request },
    {
      event: (type, record) => {
        const { name, resourceVersion } = objectOf(record).metadata;
        received.push(`${type} ${name} ${resourceVersion}`);
      },
      bookmark: (version, end) => void received.push(`BOOKMARK ${version}${end ? ' end' : ''}`),
      error: (error) => void errors.push(error),
    },
  );
  return { received: received, errors, [Symbol.dispose]: () => watching[Symbol.dispose]() };
}

describe('watch', () => {
  it('sends initial events with back-pressure, and ends with its listeners', async () => {
    const { verbs, context, create } = createTestResource();
    for (const name of ['a', 'b', 'c', 'd']) await create(name);
    const received: string[] = [];
    const rooms = [true, Promise.resolve(true), Promise.resolve(false)];
    using watching = await verbs.watch(
      context(),
      { ...everything, allowBookmarks: true, sendInitialEvents: true },
      {
        event: (_, record) => void received.push(objectOf(record).metadata.name ?? ''),
        bookmark: () => void received.push('BOOKMARK'),
        error: (error) => expect.fail(error.message),
        waitForCapacity: () => rooms.shift() ?? expect.fail('asked for too much'),
      },
    );
    expect(watching).toBeDefined();
    await create('e');
    await setImmediate();
    expect(received).toEqual(['a', 'b', 'c']);
  });

  it('sends initial events, then changes', async () => {
    const resource = createTestResource();
    await resource.create('b');
    await resource.create('a');
    using watching = await watch(resource);
    await resource.replace('a', { text: 't' });
    await resource.verbs.delete(resource.context(), 'b', {});
    await resource.create('c', {}, { namespace: 'elsewhere' });
    await setImmediate();
    expect(watching.received).toEqual(['ADDED a 3', 'ADDED b 2', 'MODIFIED a 4', 'DELETED b 5']);
  });

  it.each<[Partial<WatchRequest>, readonly string[]]>([
    [{ resourceVersion: 2 }, ['ADDED b 3', 'ADDED c 4']],
    [{ resourceVersion: 0 }, ['ADDED a 2', 'ADDED b 3', 'ADDED c 4']],
    [{ sendInitialEvents: false }, ['ADDED c 4']],
    [{ resourceVersion: 0, sendInitialEvents: false }, ['ADDED c 4']],
    [{ resourceVersion: 2, sendInitialEvents: false }, ['ADDED b 3', 'ADDED c 4']],
    [{ resourceVersion: 2, sendInitialEvents: true }, ['ADDED a 2', 'ADDED b 3', 'ADDED c 4']],
    [
      { sendInitialEvents: true, allowBookmarks: true },
      ['ADDED a 2', 'ADDED b 3', 'BOOKMARK 3 end', 'ADDED c 4'],
    ],
    [{ resourceVersion: 4 }, []],
  ])('starts at the requested version: %j', async (request, expected) => {
    const resource = createTestResource();
    await resource.create('a');
    await resource.create('b');
    using watching = await watch(resource, request);
    await resource.create('c');
    await setImmediate();
    expect(watching.received).toEqual(expected);
  });

  it('rejects an unknown field before it starts', async () => {
    await expect(watch(createTestResource(), selecting('', 'text=a'))).rejects.toMatchObject({ code: 400 });
  });

  it('ends with an error if its start is compacted', async () => {
    const resource = createTestResource();
    for (const name of ['a', 'b', 'c']) await resource.create(name);
    resource.engine.compact(4);
    using watching = await watch(resource, { resourceVersion: 1 });
    await setImmediate();
    expect(watching.errors).toMatchObject([{ code: 410, message: 'too old resource version: 1 (4)' }]);
  });

  it('sends what leaves a selection in the requested version, also if its conversion takes a while', async () => {
    const schema = { type: 'object', properties: { text: { type: 'string' } } } as const;
    const selectableFields: SelectableFields = { names: ['text'], valueOf: (page: Page) => page.text ?? '' };
    const version = (name: string, storage: boolean): ResourceVersion =>
      ({ name, served: true, storage, schema, selectableFields }) as const;
    const resource = createTestResource({
      definition: { ...pages, dialect: 'custom', versions: [version('v1', true), version('v2', false)] },
      converter: {
        convert: async (objects, apiVersion) => objects.map((object) => ({ ...object, apiVersion })),
      },
    });
    const shown: (readonly [string, Page])[] = [];
    using _ = await resource.verbs.watch(
      resource.context({ version: 'v2' }),
      { ...everything, ...selecting('', 'text=in'), allowBookmarks: false },
      {
        event: (type, record) => void shown.push([type, objectOf(record) as Page]),
        bookmark: () => {},
        error: (error) => expect.fail(error.message),
      },
    );
    await resource.create('a', { text: 'in' });
    await resource.replace('a', { text: 'out' });
    await setImmediate();
    const page = { apiVersion: 'books.io/v2', text: 'in' };
    expect(shown).toMatchObject([
      ['ADDED', { ...page, metadata: { resourceVersion: '2' } }],
      ['DELETED', { ...page, metadata: { resourceVersion: '3' } }],
    ]);
  });

  it('sends nothing after disposal', async () => {
    const resource = createTestResource();
    const watching = await watch(resource, { allowBookmarks: true });
    watching[Symbol.dispose]();
    await resource.create('a');
    resource.clock.advance(600_000);
    await setImmediate();
    expect(watching.received).toEqual([]);
  });

  it('sends each change of a selection once, as a list would show it', async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const label = fc.constantFrom('in', 'out');
    const step = fc.record({ name, label, remove: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step), fc.array(step), fc.boolean(), async (before, after, split) => {
        const resource = createTestResource();
        const run = async ({
          name: of,
          label: to,
          remove,
        }: {
          name: string;
          label: string;
          remove: boolean;
        }) => {
          const more = { metadata: { labels: { to } }, text: `${resource.engine.currentRevision()}` };
          if (remove) await resource.remove(of).catch(() => {});
          else await resource.create(of, more).catch(() => resource.replace(of, more));
        };
        for (const one of before) await run(one);
        const resourceVersion = resource.engine.currentRevision();
        const selected = new Set(await resource.names(selecting('to=in')));
        using watching = await watch(resource, { ...selecting('to=in'), resourceVersion });
        for (const one of after) {
          await run(one);
          if (split) await setImmediate();
        }
        await setImmediate();
        let last = resourceVersion;
        for (const line of watching.received) {
          const [type = '', of = '', version] = line.split(' ');
          expect([type === 'ADDED', type === 'ADDED' || selected.has(of)]).toEqual([!selected.has(of), true]);
          if (type === 'DELETED') selected.delete(of);
          else selected.add(of);
          expect(Number(version)).toBeGreaterThan(last);
          last = Number(version);
        }
        expect([...selected].sort()).toEqual(await resource.names(selecting('to=in')));
      }),
      { numRuns: 60 },
    );
  });
});

describe('bookmarks', () => {
  it('are sent every minute and two seconds before the end', async () => {
    const resource = createTestResource();
    await resource.create('a');
    using watching = await watch(resource, {
      resourceVersion: 2,
      allowBookmarks: true,
      timeoutMilliseconds: 90_000,
    });
    for (const milliseconds of [59_999, 1, 27_999, 1]) {
      resource.clock.advance(milliseconds);
      await setImmediate();
      watching.received.push(`at ${resource.clock.monotonic()}`);
    }
    expect(watching.received).toEqual([
      'at 59999',
      'BOOKMARK 2',
      'at 60000',
      'at 87999',
      'BOOKMARK 2',
      'at 88000',
    ]);
  });

  it('have the delivered revision, however far the store is', async () => {
    const resource = createTestResource();
    const late: Watch & { delivered: number | undefined } = {
      delivered: undefined,
      [Symbol.dispose]: () => {},
    };
    let observer: WatchObserver | undefined;
    resource.engine.watch = (_prefix, _options, given) => {
      observer = given;
      return late;
    };
    using watching = await watch(resource, { resourceVersion: 1, allowBookmarks: true });
    await resource.create('a');
    await resource.create('b');
    resource.clock.advance(60_000);
    late.delivered = 2;
    resource.clock.advance(60_000);
    observer?.progress?.(3);
    resource.clock.advance(60_000);
    expect(watching.received).toEqual(['BOOKMARK 1', 'BOOKMARK 2', 'BOOKMARK 3']);
  });

  it('fail with the store, and not by themselves', async () => {
    const resource = createTestResource();
    using watching = await watch(resource, { allowBookmarks: true });
    await resource.engine[Symbol.asyncDispose]();
    resource.clock.advance(60_000);
    await setImmediate();
    expect(watching.errors.length).toBeGreaterThan(0);
    expect(watching.received).toEqual([]);
  });
});
