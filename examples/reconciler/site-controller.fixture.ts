import type { ConfigMap } from '@ashlar/apis';
import type { ResourceClient } from '@ashlar/client';
import { StatusError, type Vocabulary } from '@ashlar/core';
import { createTestServer, type TestServer, type TestServerOptions, waitFor } from '@ashlar/testing';
import { describe, type ExpectStatic, test } from 'vitest';
import { MemoryDomains } from './domains.ts';
import { sites as definition, FINALIZER, PATIENCE, pageOf, type Site } from './sites.ts';

/** Starts a controller on a server; when it is disposed, nothing of it is left. */
export type StartController = (
  server: TestServer,
  domains: MemoryDomains,
  onError: (error: unknown) => void,
) => Promise<AsyncDisposable>;

/** Milliseconds that a busy machine may take. */
const BUSY = 60_000;

/** What a test works with. */
class World implements AsyncDisposable {
  readonly server: TestServer;
  readonly domains: MemoryDomains = new MemoryDomains();
  readonly failures: string[] = [];
  readonly #start: StartController;
  #controller: AsyncDisposable | undefined;
  #tellFailure = (): void => {};

  constructor(server: TestServer, start: StartController) {
    this.server = server;
    this.#start = start;
  }

  sites(namespace = 'default') {
    return this.server.client.resource(definition).namespace(namespace);
  }

  pages(namespace = 'default'): ResourceClient<ConfigMap> {
    const reference = { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' };
    return this.server.client.resource<ConfigMap>(reference).namespace(namespace);
  }

  async start(): Promise<void> {
    this.#controller = await this.#start(this.server, this.domains, (error) => {
      this.failures.push(error instanceof Error ? error.message : String(error));
      this.#tellFailure();
    });
  }

  async stop(): Promise<void> {
    await this.#controller?.[Symbol.asyncDispose]();
    this.#controller = undefined;
  }

  nextFailure(): Promise<void> {
    return new Promise((resolve) => (this.#tellFailure = resolve));
  }

  create(name: string, spec: Partial<Site['spec']> = {}, namespace = 'default') {
    return this.sites(namespace).create({
      metadata: { name },
      spec: { domain: `${name}.example.com`, title: name, ...spec },
    });
  }

  ready(name: string, namespace = 'default'): Promise<Site> {
    return waitFor(this.sites(namespace), (site) => isReady(site), { name, timeoutMilliseconds: BUSY });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.server.close();
  }
}

const isReady = ({ status, metadata }: Site): boolean =>
  status?.phase === 'Ready' && status.observedGeneration === metadata.generation;
const html = ({ data }: ConfigMap): string => data?.['index.html'] ?? '';
/** Waits for the deletion of an object. */
async function deletion(resource: Pick<ResourceClient, 'watch'>, name: string): Promise<void> {
  for await (const { type, object } of resource.watch())
    if (type === 'DELETED' && object.metadata.name === name) return;
}

/** Twenty tests of a controller, side by side, each with a server of its own. */
export function testSiteController(title: string, vocabulary: Vocabulary, start: StartController): void {
  const world = async (options: TestServerOptions = {}): Promise<World> =>
    new World(await createTestServer({ vocabulary, ...options, resources: [definition] }), start);
  const that = (text: string, check: (expect: ExpectStatic) => Promise<void>) =>
    test(text, ({ expect }) => check(expect));

  describe.concurrent(title, () => {
    that('makes a page that belongs to its site', async (expect) => {
      await using w = await world();
      await w.start();
      const { metadata } = await w.create('home', { title: 'Hello' });
      await w.ready('home');
      const page = await w.pages().get('home');
      expect(html(page)).toBe('<h1>Hello</h1> at home.example.com');
      expect(page.metadata.ownerReferences).toMatchObject([
        { kind: 'Site', uid: metadata.uid, controller: true },
      ]);
    });

    that('says in the status that it is ready', async (expect) => {
      await using w = await world();
      await w.start();
      await w.create('home');
      expect((await w.ready('home')).status).toEqual({
        observedGeneration: 1,
        phase: 'Ready',
        domain: 'home.example.com',
      });
    });

    that('holds a site with a finalizer, and leaves those of others', async (expect) => {
      await using w = await world();
      await w.sites().create({
        metadata: { name: 'home', finalizers: ['example.com/other'] },
        spec: { domain: 'a', title: 'A' },
      });
      await w.start();
      expect((await w.ready('home')).metadata.finalizers).toEqual(['example.com/other', FINALIZER]);
    });

    that('looks after sites from before its start', async (expect) => {
      await using w = await world();
      await w.create('one');
      await w.create('two');
      await w.start();
      await Promise.all([w.ready('one'), w.ready('two')]);
      expect((await w.pages().list({ labelSelector: 'example.com/site' })).items).toHaveLength(2);
    });

    that('follows a changed title', async (expect) => {
      await using w = await world();
      await w.start();
      await w.create('home');
      await w.ready('home');
      await w.sites().patch('home', { type: 'merge', patch: { spec: { title: 'New' } } });
      expect((await w.ready('home')).status?.observedGeneration).toBe(2);
      expect(html(await w.pages().get('home'))).toContain('New');
    });

    that('releases the domain that a site had before', async (expect) => {
      await using w = await world();
      await w.start();
      await w.create('home');
      await w.ready('home');
      await w.sites().patch('home', { type: 'merge', patch: { spec: { domain: 'new.example.com' } } });
      await w.ready('home');
      expect([...w.domains.owners.keys()]).toEqual(['new.example.com']);
    });

    that('restores a page that somebody changed', async () => {
      await using w = await world();
      await w.start();
      await w.create('home');
      const { spec } = await w.ready('home');
      await w.pages().patch('home', { type: 'merge', patch: { data: { 'index.html': 'graffiti' } } });
      await waitFor(w.pages(), (page) => html(page) === pageOf(spec), {
        name: 'home',
        timeoutMilliseconds: BUSY,
      });
    });

    that('makes a page again that somebody deleted', async (expect) => {
      await using w = await world();
      await w.start();
      await w.create('home');
      await w.ready('home');
      const { metadata } = await w.pages().get('home');
      await w.pages().delete('home');
      const page = await waitFor(w.pages(), (page) => page.metadata.uid !== metadata.uid, {
        name: 'home',
        timeoutMilliseconds: BUSY,
      });
      expect(html(page)).toContain('home.example.com');
    });

    that('leaves labels that others add to its page', async (expect) => {
      await using w = await world();
      await w.start();
      await w.create('home');
      await w.ready('home');
      await w.pages().patch('home', { type: 'merge', patch: { metadata: { labels: { team: 'red' } } } });
      await w.sites().patch('home', { type: 'merge', patch: { spec: { title: 'New' } } });
      await w.ready('home');
      expect((await w.pages().get('home')).metadata.labels).toEqual({
        'example.com/site': 'home',
        team: 'red',
      });
    });

    that('releases the domain of a deleted site, and lets it go', async (expect) => {
      await using w = await world();
      await w.start();
      await w.create('home');
      await w.ready('home');
      const gone = deletion(w.sites(), 'home');
      await w.sites().delete('home');
      await gone;
      expect(w.domains.owners.size).toBe(0);
    });

    that('leaves the page of a deleted site to the garbage collector', async (expect) => {
      await using w = await world();
      await w.start();
      await w.create('home');
      await w.ready('home');
      const gone = deletion(w.pages(), 'home');
      await w.sites().delete('home');
      await gone;
      expect((await w.pages().list({ labelSelector: 'example.com/site' })).items).toEqual([]);
    });

    that('keeps a deleted site while its domain cannot be released', async (expect) => {
      await using w = await world();
      await w.start();
      await w.create('home');
      await w.ready('home');
      await w.server.idle();
      w.domains.isDown = true;
      const failed = w.nextFailure();
      await w.sites().delete('home');
      await failed;
      expect((await w.sites().get('home')).metadata.deletionTimestamp).toBeDefined();
      expect(w.failures).toContain('the registrar is down');
      w.domains.isDown = false;
      const gone = deletion(w.sites(), 'home');
      await w.server.clock.advance(1000);
      await gone;
    });

    that('refuses a domain that another site has', async (expect) => {
      await using w = await world();
      await w.start();
      await w.create('first', { domain: 'same' });
      await w.ready('first');
      await w.create('second', { domain: 'same' });
      const { status } = await waitFor(w.sites(), (site) => site.status?.phase === 'Refused', {
        name: 'second',
        timeoutMilliseconds: BUSY,
      });
      expect(status?.message).toBe('same belongs to another site');
      await expect(w.pages().get('second')).rejects.toThrow('configmaps "second" not found');
    });

    that('asks again for a domain that becomes free', async (expect) => {
      await using w = await world();
      await w.start();
      await w.create('first', { domain: 'same' });
      await w.ready('first');
      await w.create('second', { domain: 'same' });
      await waitFor(w.sites(), (site) => site.status?.phase === 'Refused', {
        name: 'second',
        timeoutMilliseconds: BUSY,
      });
      const gone = deletion(w.sites(), 'first');
      await w.sites().delete('first');
      await gone;
      await w.server.clock.advance(PATIENCE);
      expect((await w.ready('second')).status?.domain).toBe('same');
    });

    that('tries again when the registrar is back', async (expect) => {
      await using w = await world();
      w.domains.isDown = true;
      await w.start();
      const failed = w.nextFailure();
      await w.create('home');
      await failed;
      expect(w.failures).toEqual(['the registrar is down']);
      w.domains.isDown = false;
      await w.server.clock.advance(1000);
      await w.ready('home');
    });

    that('survives a conflict: somebody wrote between its read and its write', async (expect) => {
      let isDisturbed = false;
      await using w = await world({
        admission: [
          {
            name: 'Disturb',
            handles: ({ resource, subresource, operation }) =>
              resource.resource === 'sites' &&
              subresource === 'status' &&
              operation === 'UPDATE' &&
              !isDisturbed,
            async admit() {
              isDisturbed = true;
              await w
                .sites()
                .patch('home', { type: 'merge', patch: { metadata: { labels: { by: 'somebody' } } } });
            },
          },
        ],
      });
      await w.start();
      await w.create('home');
      expect((await w.ready('home')).metadata.labels).toEqual({ by: 'somebody' });
      expect([isDisturbed, w.failures]).toEqual([true, []]);
    });

    that('tries a rejected write again', async (expect) => {
      let rejections = 2;
      await using w = await world({
        admission: [
          {
            name: 'NotNow',
            handles: ({ resource, operation }) =>
              resource.resource === 'configmaps' && operation === 'CREATE' && rejections > 0,
            validate() {
              rejections--;
              throw StatusError.forbidden(undefined, '', 'not now');
            },
          },
        ],
      });
      await w.start();
      for (let failures = 1; failures <= 2; failures++) {
        const failed = w.nextFailure();
        if (failures === 1) await w.create('home');
        else await w.server.clock.advance(1000);
        await failed;
        expect(w.failures).toHaveLength(failures);
        expect(w.failures.at(-1)).toContain('not now');
      }
      await w.server.clock.advance(1000);
      await w.ready('home');
    });

    that('writes nothing when there is nothing to do', async (expect) => {
      await using w = await world();
      await w.start();
      await w.create('home');
      const before = await w.ready('home');
      await w.stop();
      await w.start();
      await w.create('other');
      await w.ready('other');
      await w.server.idle();
      expect((await w.sites().get('home')).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    });

    that('does not mix sites of one name in two namespaces', async (expect) => {
      await using w = await world();
      await w.server.client
        .resource({ group: '', version: 'v1', resource: 'namespaces', kind: 'Namespace' })
        .create({ metadata: { name: 'north' } });
      await w.start();
      await w.create('home', { title: 'Here', domain: 'here' });
      await w.create('home', { title: 'North', domain: 'north' }, 'north');
      await Promise.all([w.ready('home'), w.ready('home', 'north')]);
      expect([html(await w.pages().get('home')), html(await w.pages('north').get('home'))]).toEqual([
        '<h1>Here</h1> at here',
        '<h1>North</h1> at north',
      ]);
    });

    that('looks after a hundred sites', async (expect) => {
      await using w = await world();
      await w.start();
      const names = Array.from({ length: 100 }, (_, i) => `site-${i}`);
      await Promise.all(names.map((name) => w.create(name)));
      await Promise.all(names.map((name) => w.ready(name)));
      expect([w.domains.owners.size, w.failures]).toEqual([100, []]);
    });
  });
}
