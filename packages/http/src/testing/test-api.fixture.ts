import { decodeJson, encodeJson, type OptionalEncodings } from '@ashlar/codec';
import {
  type ApiObject,
  type Authenticator,
  type Authorizer,
  type Handler,
  type JsonValue,
  orchVocabulary,
  type RequestHeaders,
  type ServerRequest,
  StatusError,
  type Vocabulary,
  type WebSocketOffer,
} from '@ashlar/core';
import { createSteppedClock, type SteppedClock } from '@ashlar/core/testing';
import { createStoredResource, type ResourceDefinition, type ResourceStorage } from '@ashlar/registry';
import {
  createMemoryStore,
  createObjectStore,
  type MemoryStore,
  type ObjectCodec,
  type ObjectStore,
} from '@ashlar/storage';
import { ApiCatalog } from '../catalog/api-catalog.ts';
import type { ServerVersion } from '../discovery/version-handler.ts';
import { concatenated } from '../encoding/concatenated.ts';
import type { EncodingBudget } from '../encoding/encoding-budget.ts';
import { HealthChecks } from '../health/health.ts';
import { createApiHandler } from '../pipeline/api-handler.ts';
import type { ApiHandlerOptions } from '../pipeline/api-handler-options.ts';
import { namespaces, notes, widgets } from './test-resources.fixture.ts';

/** Start time of these tests. */
const NOW: number = Date.UTC(2024, 0, 2, 3, 4, 5);

const VERSION: ServerVersion = {
  major: '1',
  minor: '32',
  gitVersion: 'v1.32.0+test',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: 'any',
};

const codec: ObjectCodec = {
  encode: (object) => {
    const { resourceVersion: _, ...metadata } = object.metadata;
    return encodeJson({ ...object, metadata } as unknown as JsonValue);
  },
  decode: (bytes) => decodeJson(bytes).value as unknown as ApiObject,
};

export interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  readonly webSocket?: WebSocketOffer;
}

/** A response whose body has been read. */
export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
  readonly bytes: Uint8Array;
  /** Of responses in JSON. */
  readonly json: WireObject;
}

/** The fields of JSON responses that tests read. */
export interface WireObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly items: readonly WireObject[];
  readonly message: string;
  readonly reason: string;
  readonly [member: string]: unknown;
}

/** A handler over a store in memory with a clock that the test controls. */
export interface TestApi {
  readonly handler: Handler;
  readonly catalog: ApiCatalog;
  readonly health: HealthChecks;
  readonly clock: SteppedClock;
  readonly store: ObjectStore;
  readonly engine: MemoryStore;
  /** Errors passed to `onError`. */
  readonly faults: unknown[];
  serve(definition: ResourceDefinition): void;
  /** Sends a request and reads the response; bodies that are objects are sent as JSON. */
  ask(method: string, url: string, asked?: Asked | object): Promise<Received>;
}

export interface TestApiOptions extends Partial<ApiHandlerOptions> {
  readonly encodings?: OptionalEncodings;
  readonly vocabulary?: Vocabulary;
  readonly definitions?: readonly ResourceDefinition[];
  readonly budget?: EncodingBudget;
}

const everybody: Authenticator = {
  authenticate: () => ({ outcome: 'authenticated', user: { name: 'alice', groups: [] } }),
};
const everything: Authorizer = { authorize: () => ({ decision: 'allow' }) };

export function createTestApi({
  vocabulary = orchVocabulary,
  encodings,
  budget,
  definitions = [namespaces, notes, widgets],
  ...options
}: TestApiOptions = {}): TestApi {
  const clock = createSteppedClock(NOW);
  const engine = createMemoryStore({ clock });
  const store = createObjectStore(engine, { codec, clock });
  const ambient = { clock, random: countingRandom(), vocabulary };
  const catalog = new ApiCatalog(vocabulary, encodings, budget);
  const health = options.health ?? new HealthChecks(ambient);
  const faults: unknown[] = [];
  const admission = {
    mutate: async ({ object }: { object?: ApiObject | undefined }) => object,
    validate: async () => {},
  };
  const serve = (definition: ResourceDefinition): void => {
    const stored = (): ResourceStorage => createStoredResource(definition, { store, ambient, admission });
    catalog.add(definition, definition.storage ?? stored());
  };
  definitions.forEach(serve);
  const handler = createApiHandler({
    catalog,
    ambient,
    health,
    authenticator: everybody,
    authorizer: everything,
    version: VERSION,
    onError: (error) => faults.push(error),
    ...options,
  });
  const ask = async (method: string, url: string, asked: Asked | object = {}): Promise<Received> =>
    received(await handler(toRequest(method, url, asked)));
  return { handler, catalog, health, clock, store, engine, faults, serve, ask };
}

/** Bytes that never repeat. */
function countingRandom(): { bytes(into: Uint8Array): Uint8Array } {
  let count = 0;
  return {
    bytes(into) {
      for (let i = 0; i < into.length; i++) into[i] = (count++ * 7) & 0xff;
      return into;
    },
  };
}

const isAsked = (asked: Asked | object): asked is Asked =>
  Object.keys(asked).every((key) => ['headers', 'body', 'signal', 'webSocket'].includes(key));

/** A request as a listener would create it. */
export function toRequest(method: string, url: string, asked: Asked | object = {}): ServerRequest {
  if (!isAsked(asked)) return toRequest(method, url, { body: JSON.stringify(asked), headers: JSON_BODY });
  const { headers = {}, body = '', signal = new AbortController().signal, webSocket } = asked;
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return {
    method,
    url,
    headers: toHeaders(headers),
    connection: { encrypted: true },
    webSocket,
    signal,
    async body(limit) {
      if (bytes.length > limit) throw StatusError.requestEntityTooLarge(`limit is ${limit}`);
      return bytes;
    },
  };
}

const JSON_BODY = { 'content-type': 'application/json' };

function toHeaders(headers: Readonly<Record<string, string>>): RequestHeaders {
  const lines = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    get: (name) => lines.get(name.toLowerCase()),
    all: (name) => [lines.get(name.toLowerCase()) ?? []].flat(),
    entries: () => lines.entries(),
  };
}

async function received({ status, headers, body }: Awaited<ReturnType<Handler>>): Promise<Received> {
  if (typeof body === 'function') throw new TypeError('this answer is a stream');
  const pieces = body === undefined ? [] : body instanceof Uint8Array ? [body] : [...body];
  const text = pieces.map((piece) => new TextDecoder().decode(piece)).join('');
  const isJson = String(headers['content-type']).startsWith('application/json');
  const bytes = concatenated(pieces.length > 0 ? pieces : [new Uint8Array(0)]);
  return { status, headers, text, bytes, json: isJson && text !== '' ? JSON.parse(text) : {} };
}
