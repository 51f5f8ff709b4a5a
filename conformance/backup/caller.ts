import { readFileSync } from 'node:fs';
import { Agent as PlainAgent, request as requestPlain } from 'node:http';
import { Agent, request as requestSecure } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { JsonValue } from '@ashlar/core';

/** A response as it came. */
export interface Answer {
  readonly status: number;
  /** Its Content-Type; empty if it has none. */
  readonly type: string;
  readonly body: Buffer;
}

export interface Question {
  readonly method?: string;
  readonly accept?: string;
  /** Sent as JSON, or bytes as they are. */
  readonly body?: JsonValue | Uint8Array;
  /** Media type of the body; default JSON. */
  readonly contentType?: string | undefined;
}

/** Sends requests over connections that it keeps. */
export class Caller {
  readonly #url: string;
  readonly #token: string;
  readonly #agent: PlainAgent | Agent;

  /** @param ca file of the authority of its certificate */
  constructor({
    url,
    token,
    ca,
  }: { readonly url: string; readonly token: string; readonly ca?: string | undefined }) {
    this.#url = url;
    this.#token = token;
    const kept = { keepAlive: true, maxSockets: 16 };
    this.#agent = url.startsWith('https:')
      ? new Agent({ ...kept, ...(ca !== undefined && { ca: readFileSync(ca) }) })
      : new PlainAgent(kept);
  }

  /** @throws Error if the server cannot be reached */
  ask(path: string, { method = 'GET', accept, body, contentType }: Question = {}): Promise<Answer> {
    const bytes = body === undefined || body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
    const headers = {
      authorization: `Bearer ${this.#token}`,
      'user-agent': 'backup',
      accept: accept ?? 'application/json',
      ...(bytes && { 'content-type': contentType ?? 'application/json', 'content-length': bytes.length }),
    };
    const send = this.#url.startsWith('https:') ? requestSecure : requestPlain;
    return new Promise((resolve, reject) => {
      send(this.#url + path, { method, headers, agent: this.#agent })
        .on('error', reject)
        .on('response', (incoming) =>
          buffer(incoming).then(
            (received) =>
              resolve({
                status: incoming.statusCode ?? 0,
                type: incoming.headers['content-type'] ?? '',
                body: received,
              }),
            reject,
          ),
        )
        .end(bytes);
    });
  }

  /** @throws Error if the response is no JSON of status 200 */
  async read<T>(path: string): Promise<T> {
    const { status, body } = await this.ask(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${body.toString('utf8', 0, 500)}`);
    return JSON.parse(body.toString()) as T;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** Calls `work` for each value, at most sixteen at a time. */
export async function forEachOf<T>(values: Iterable<T>, work: (value: T) => Promise<void>): Promise<void> {
  const waiting = values[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
