import type { ApiObject, Transport, TransportRequest, TransportResponse, WatchEvent } from '@ashlar/core';
import { StatusError } from '@ashlar/core';

/** A received request. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: TransportRequest['headers'];
  readonly body: unknown;
}

type Answer = TransportResponse | Promise<TransportResponse>;

const COLLECTION = { group: '', resource: 'things' };

/**
 * One collection, `/api/v1/things`, with the behaviour that clients depend on: versions, pages of one
 * version, watches from a version, bookmarks, and 410 for compacted versions. Responses can be replaced.
 */
export class FakeApi implements Transport {
  readonly seen: ReceivedRequest[] = [];
  /** Responses that replace its own, one per request; undefined passes a request through. */
  readonly instead: (((seen: ReceivedRequest) => Answer | undefined) | undefined)[] = [];
  readonly #objects = new Map<string, ApiObject>();
  readonly #history: { readonly version: number; readonly event: WatchEvent }[] = [];
  readonly #streams = new Set<EventStream>();
  readonly #pages = new Map<string, readonly ApiObject[]>();
  #version = 100;
  #oldest = 100;

  async request(url: string, request: TransportRequest): Promise<TransportResponse> {
    const { pathname: path, searchParams: query } = new URL(url);
    const body = request.body && JSON.parse(new TextDecoder().decode(request.body));
    const seen = { method: request.method, path, query, headers: request.headers, body };
    this.seen.push(seen);
    request.signal?.throwIfAborted();
    const other = this.instead.shift()?.(seen);
    if (other) return other;
    try {
      return this.#answer(seen, request.signal);
    } catch (error) {
      return jsonResponse(StatusError.from(error).status, StatusError.from(error).code);
    }
  }

  /** Open watches. */
  get watches(): number {
    return this.#streams.size;
  }

  put(name: string, value: string = '', namespace: string = 'ns'): ApiObject {
    const type = this.#objects.has(`${namespace}/${name}`) ? 'MODIFIED' : 'ADDED';
    const metadata = { name, namespace, resourceVersion: String(++this.#version) };
    const object = { apiVersion: 'v1', kind: 'Thing', metadata, value };
    this.#objects.set(`${namespace}/${name}`, object);
    this.#notify({ type, object });
    return object;
  }

  delete(name: string, namespace: string = 'ns'): void {
    const object = this.#objects.get(`${namespace}/${name}`);
    if (!object) throw StatusError.notFound(COLLECTION, name);
    this.#objects.delete(`${namespace}/${name}`);
    const resourceVersion = String(++this.#version);
    this.#notify({
      type: 'DELETED',
      object: { ...object, metadata: { ...object.metadata, resourceVersion } },
    });
  }

  /** Increments the version without a change, as writes to other collections do. */
  bookmark(): void {
    const metadata = { resourceVersion: String(++this.#version) };
    for (const stream of this.#streams) {
      stream.push({ type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'Thing', metadata } });
    }
  }

  /** Ends every watch: cleanly, in the middle of a line, or with a last event. */
  cut(how: 'cleanly' | 'broken' | WatchEvent): void {
    for (const stream of this.#streams) stream.end(how);
    this.#streams.clear();
  }

  /** Discards history and pages. */
  compact(): void {
    this.#oldest = this.#version;
    this.#pages.clear();
  }

  #notify(event: WatchEvent): void {
    this.#history.push({ version: this.#version, event });
    for (const stream of this.#streams) stream.push(event);
  }

  #answer(
    { method, path, query, body }: ReceivedRequest,
    signal: AbortSignal | undefined,
  ): TransportResponse {
    const [, namespace, name] =
      /^\/api\/v1\/(?:namespaces\/([^/]+)\/)?things(?:\/([^/]+))?$/.exec(path) ?? [];
    if (!path.includes('things')) return textResponse('404 page not found\n', 404);
    if (method === 'GET' && name) return jsonResponse(this.#get(namespace as string, name));
    if (method === 'GET' && query.get('watch') === 'true') return this.#watch(query, signal);
    if (method === 'GET') return jsonResponse(this.#list(query));
    if (method === 'POST' || method === 'PUT') {
      const { metadata, value } = body as ApiObject;
      return jsonResponse(this.put(metadata.name as string, value as string, namespace), 201);
    }
    if (method === 'DELETE' && name) this.delete(name, namespace);
    return jsonResponse({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' });
  }

  #get(namespace: string, name: string): ApiObject {
    const object = this.#objects.get(`${namespace}/${name}`);
    if (!object) throw StatusError.notFound(COLLECTION, name);
    return object;
  }

  #list(query: URLSearchParams): object {
    const token = query.get('continue');
    const [version = '', skip = '0'] = token?.split(':') ?? [String(this.#version)];
    if (!token) this.#pages.set(version, [...this.#objects.values()]);
    const objects = this.#pages.get(version);
    if (!objects) throw StatusError.expired('The provided continue parameter is too old');
    const start = Number(skip);
    const end = start + (Number(query.get('limit') ?? 0) || objects.length);
    // items of typed lists have no type
    const items = objects.slice(start, end).map(({ apiVersion, kind, ...rest }) => rest);
    const metadata = {
      resourceVersion: version,
      ...(end < objects.length && { continue: `${version}:${end}` }),
    };
    return { apiVersion: 'v1', kind: 'ThingList', metadata, items };
  }

  #watch(query: URLSearchParams, signal: AbortSignal | undefined): TransportResponse {
    const from = Number(query.get('resourceVersion'));
    const stream = new EventStream(() => this.#streams.delete(stream));
    if (from < this.#oldest) {
      const { status } = StatusError.expired(`too old resource version: ${from}`);
      stream.push({ type: 'ERROR', object: status as unknown as ApiObject });
      stream.end('cleanly');
    } else {
      this.#streams.add(stream);
      for (const { version, event } of this.#history) if (version > from) stream.push(event);
      signal?.addEventListener('abort', () => stream.end('cleanly'));
    }
    return { status: 200, headers: {}, stream: () => stream.read(), body: async () => new Uint8Array(0) };
  }
}

/** Lines of a watch, in pieces that do not end where lines do. */
class EventStream {
  #lines: Uint8Array[] = [];
  #over: 'cleanly' | 'broken' | undefined;
  #wake: () => void = () => {};
  readonly #left: () => void;

  constructor(left: () => void) {
    this.#left = left;
  }

  push(event: WatchEvent): void {
    const line = new TextEncoder().encode(`${JSON.stringify(event)}\n`);
    const middle = Math.floor(line.length / 2);
    this.#lines.push(line.subarray(0, middle), line.subarray(middle));
    this.#wake();
  }

  end(how: 'cleanly' | 'broken' | WatchEvent): void {
    if (typeof how === 'object') this.push(how);
    if (how === 'broken') this.#lines.push(new TextEncoder().encode('{"type":"ADDED","obj'));
    this.#over = how === 'broken' ? 'broken' : 'cleanly';
    this.#wake();
  }

  async *read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        yield* this.#lines.splice(0);
        if (this.#lines.length > 0) continue;
        if (this.#over === 'broken') throw new Error('the connection was reset');
        if (this.#over) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.#left();
    }
  }
}

export function jsonResponse(
  value: unknown,
  status: number = 200,
  headers: Readonly<Record<string, string>> = {},
): TransportResponse {
  return textResponse(JSON.stringify(value), status, headers);
}

export function textResponse(
  text: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): TransportResponse {
  const bytes = new TextEncoder().encode(text);
  return {
    status,
    headers,
    body: async () => bytes,
    async *stream() {
      yield bytes;
    },
  };
}
