import { type ApiObject, type Vocabulary, vocabularies } from '@ashlar/core';
import type { ApiServer, ApiServerOptions } from '@ashlar/server';
import { createServerFixture, createTestServer, type ManualClock } from '@ashlar/testing';
import { describe, it, type TestAPI } from 'vitest';
import { checks, gadgets, widgets } from './clause-types.fixture.ts';

// Paths of the tests of clauses. Namespaces `a` and `b` exist.
export const CONFIG_MAPS = '/api/v1/namespaces/a/configmaps';
export const ALL_CONFIG_MAPS = '/api/v1/configmaps';
export const SECRETS = '/api/v1/namespaces/a/secrets';
export const WIDGETS = '/apis/example.com/v1/namespaces/a/widgets';
export const GADGETS = '/apis/example.com/v1/gadgets';
export const CHECKS = '/apis/example.com/v1/checks';

// Kinds of patches.
export const JSON_PATCH = 'application/json-patch+json';
export const MERGE_PATCH = 'application/merge-patch+json';
export const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';
export const APPLY_PATCH = 'application/apply-patch+yaml';

/** A received response. All members are typed as present: a test that reads a missing one fails. */
export interface WireObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: WireMetadata;
  readonly items: readonly WireObject[];
  readonly resources: readonly WireResource[];
  readonly [field: string]: unknown;
}

interface WireMetadata extends Required<Omit<ApiObject['metadata'], 'resourceVersion'>> {
  readonly resourceVersion: string;
  readonly continue: string;
  readonly remainingItemCount: number;
}

interface WireResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

export interface WireEvent {
  readonly type: string;
  readonly object: WireObject;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The body read as JSON. */
  readonly body: WireObject;
}

type Fields = Readonly<Record<string, unknown>>;

/** A server of one test, called over HTTP without sockets. */
export interface ClauseServer {
  readonly api: ApiServer;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body: Fields, headers?: Record<string, string>): Promise<Reply>;
  put(path: string, body: Fields): Promise<Reply>;
  patch(path: string, contentType: string, body: unknown): Promise<Reply>;
  delete(path: string, body?: Fields): Promise<Reply>;
  /** Applies a configuration as a manager; `query` contains further parameters. */
  apply(path: string, manager: string, configuration: Fields, query?: string): Promise<Reply>;
  send(method: string, path: string, init?: RequestInit): Promise<Reply>;
  watch(path: string): Promise<WireWatch>;
  /** Stores a ConfigMap in namespace `a`. */
  configMap(name: string, fields?: Fields): Promise<WireObject>;
}

/** A server whose time the test controls. */
interface TimedServer extends ClauseServer {
  readonly clock: ManualClock;
  /** Advances the time, second by second, until something is settled. */
  waitFor<T>(pending: Promise<T>): Promise<T>;
}

/** The events of a watch in order. */
class WireWatch implements AsyncDisposable {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = '';

  constructor(response: Response) {
    this.response = response;
    this.#reader = (response.body as ReadableStream<Uint8Array>).getReader();
  }

  /** The next event, or undefined when the stream has ended. */
  async next(): Promise<WireEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n');
      if (end >= 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return JSON.parse(line) as WireEvent;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  /** The next events as `ADDED x`. */
  async types(count: number): Promise<readonly string[]> {
    const seen: string[] = [];
    while (seen.length < count) {
      const event = await this.next();
      seen.push(event ? `${event.type} ${event.object.metadata.name}` : 'end');
    }
    return seen;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.cancel();
  }
}

interface ClauseContext {
  readonly vocabulary: Vocabulary;
  /** A fork of the prepared server; its time stands still. */
  readonly server: ClauseServer;
  /** A server of its own, for tests that move time. */
  readonly timed: TimedServer;
}

/** Runs tests of a section once per vocabulary. */
export function describeVocabularies(section: string, tests: (vocabulary: Vocabulary) => void): void {
  describe.each(Object.entries(vocabularies))(`${section}, in the words of %s`, (_name, vocabulary) =>
    tests(vocabulary),
  );
}

/** The same with a server for each test. */
export function forEachVocabulary(section: string, tests: (test: TestAPI<ClauseContext>) => void): void {
  describeVocabularies(section, (vocabulary) => {
    const fork = forkOf(clauseOptions(vocabulary), vocabulary);
    const test = it.extend<ClauseContext>({
      vocabulary,
      server: async ({ vocabulary: _ }, use) => {
        await using api = await fork();
        await use(toClauseServer(api));
      },
      timed: async ({ vocabulary: own }, use) => {
        await using api = await createTestServer(clauseOptions(own));
        await prepare(api);
        const { clock } = api;
        await use({ ...toClauseServer(api), clock, waitFor: (pending) => waitFor(clock, pending) });
      },
    });
    tests(test);
  });
}

/** Forks of one prepared server, whose time stands still. */
export function forkOf(options: ApiServerOptions, vocabulary: Vocabulary): () => Promise<ApiServer> {
  return createServerFixture({ ...options, vocabulary }, prepare);
}

/** Options of the servers of clauses; tests with another authorizer, plugin or storage extend them. */
export function clauseOptions(vocabulary: Vocabulary): ApiServerOptions {
  return { vocabulary, controllers: false, resources: [widgets, gadgets, checks] };
}

/** Namespaces `a` and `b`. */
export async function prepare({ client }: ApiServer): Promise<void> {
  const namespaces = client.resource({ group: '', version: 'v1', resource: 'namespaces', kind: 'Namespace' });
  for (const name of ['a', 'b']) await namespaces.create({ metadata: { name } });
}

/** Sends HTTP requests to a server of this process, with or without a token. */
export function toClauseServer(api: ApiServer, token?: string): ClauseServer {
  const fetch = (path: string, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(`http://server${path}`, init);
    if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`);
    return api.fetch(request);
  };
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Reply> =>
    toReply(await fetch(path, { ...init, method }));
  const withBody =
    (method: string) =>
    (path: string, body: Fields, headers: Record<string, string> = {}): Promise<Reply> =>
      send(method, path, json(body, headers));
  const post = withBody('POST');
  return {
    api,
    send,
    post,
    get: (path, headers = {}) => send('GET', path, { headers }),
    put: withBody('PUT'),
    patch: (path, contentType, body) => send('PATCH', path, json(body, { 'content-type': contentType })),
    apply: (path, manager, configuration, query = '') =>
      send(
        'PATCH',
        `${path}?fieldManager=${manager}${query}`,
        json(configuration, { 'content-type': APPLY_PATCH }),
      ),
    delete: (path, body) => send('DELETE', path, body && json(body)),
    watch: async (path) => new WireWatch(await fetch(path)),
    configMap: async (name, { metadata, ...fields } = {}) =>
      (await post(CONFIG_MAPS, { ...fields, metadata: { name, ...(metadata as object) } })).body,
  };
}

function json(body: unknown, headers: Record<string, string> = {}): RequestInit {
  const text = JSON.stringify(body);
  const length = String(new TextEncoder().encode(text).length);
  return {
    body: text,
    headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
  };
}

async function toReply(response: Response): Promise<Reply> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const { status, headers } = response;
  return {
    status,
    headers,
    bytes,
    text,
    get body() {
      return JSON.parse(text) as WireObject;
    },
  };
}

async function waitFor<T>(clock: ManualClock, pending: Promise<T>): Promise<T> {
  let settled = false;
  const settle = (): void => {
    settled = true;
  };
  pending.then(settle, settle);
  for (let seconds = 0; !settled && seconds < 120; seconds++) await clock.advance(1000);
  if (!settled) throw new Error('nothing came of it in two minutes of the clock');
  return pending;
}
