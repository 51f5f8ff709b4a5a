import {
  actualValueText,
  type ByteSink,
  type Handler,
  type RequestHeaders,
  type ServerRequest,
  type ServerResponse,
  StatusError,
} from '@ashlar/core';
import { concatenated } from '../encoding/concatenated.ts';

/**
 * Adapts a handler to the `fetch` standard, for browsers, edge functions and tests. Adapting costs several times as much as the
 * handler itself; a Node server should use `listen` of `@ashlar/http-node` instead.
 * @example
 * const fetch = toFetchHandler(handler);
 * await (await fetch(new Request('http://server/version'))).json();
 */
export function toFetchHandler(handler: Handler): (request: Request) => Promise<Response> {
  return async (request) => {
    if (typeof request?.url !== 'string') {
      const example = "new Request('http://server/version')";
      throw new TypeError(
        `fetch of a server takes a Request, such as ${example}, not ${actualValueText(request)}`,
      );
    }
    const body = new WebBody(request);
    try {
      return toResponse(await handler(fromRequest(request, body)), request.method === 'HEAD');
    } finally {
      body.cancel();
    }
  };
}

function fromRequest(request: Request, body: WebBody): ServerRequest {
  const { pathname, search, protocol } = new URL(request.url);
  return {
    method: request.method,
    url: pathname + search,
    headers: fromHeaders(request.headers),
    connection: { encrypted: protocol === 'https:' },
    signal: request.signal,
    body: (limit) => body.read(limit),
  };
}

/** The part of a web stream's reader that is used here. */
interface BodyReader {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** The body of a request, which is read only until the request is answered. */
class WebBody {
  readonly #request: Request;
  #reader: BodyReader | undefined;
  #isCancelled = false;

  constructor(request: Request) {
    this.#request = request;
  }

  /** Reads the body up to a limit. @throws StatusError 413 */
  async read(limit: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    this.#reader = this.#request.body?.getReader();
    let length = 0;
    for (let step = await this.#reader?.read(); step?.value; step = await this.#reader?.read()) {
      length += step.value.length;
      if (length > limit) throw StatusError.requestEntityTooLarge(`limit is ${limit}`);
      parts.push(step.value);
    }
    if (this.#isCancelled) throw new Error('the request was answered before its body had arrived');
    this.#reader = undefined;
    return concatenated(parts);
  }

  /** Stops reading. */
  cancel(): void {
    this.#isCancelled = true;
    void this.#reader?.cancel().catch(() => {});
  }
}

function fromHeaders(headers: Headers): RequestHeaders {
  return {
    get: (name) => headers.get(name) ?? undefined,
    all: (name) => [headers.get(name) ?? []].flat(),
    entries: () => headers.entries(),
  };
}

function toResponse({ status, headers, body }: ServerResponse, withoutBody: boolean): Response {
  const lines = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const line of [value].flat()) lines.append(name, line);
  const empty = withoutBody || body === undefined || status === 204 || status === 304;
  return new Response(empty ? null : toBody(body), { status, headers: lines });
}

function toBody(body: NonNullable<ServerResponse['body']>): ConstructorParameters<typeof Response>[0] {
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>;
  if (typeof body === 'function') return toStream(body);
  // one copy: a Blob or a stream of many small parts takes ten times as long
  return concatenated(body) as Uint8Array<ArrayBuffer>;
}

/** Returns a streamed body as a web stream; buffered bytes are counted by the queue of the stream. */
function toStream(run: (sink: ByteSink) => void): ReadableStream<Uint8Array> {
  const closing: (() => void)[] = [];
  const draining: (() => void)[] = [];
  let over = false;
  const close = (end: () => void): void => {
    if (over) return;
    over = true;
    end();
    for (const call of closing) call();
  };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) =>
        run({
          write(bytes) {
            if (!over) controller.enqueue(bytes);
            return (controller.desiredSize ?? 0) > 0;
          },
          get buffered() {
            return Math.max(0, HIGH_WATER_MARK - (controller.desiredSize ?? HIGH_WATER_MARK));
          },
          onDrain: (call) => void draining.push(call),
          onClose: (call) => void closing.push(call),
          end: () => close(() => controller.close()),
          destroy: () => close(() => controller.error(new Error('the stream was destroyed'))),
        }),
      pull: () => {
        for (const call of draining.splice(0)) call();
      },
      cancel: () => close(() => {}),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_MARK }),
  );
}

const HIGH_WATER_MARK = 65_536;
