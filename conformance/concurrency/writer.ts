import type { JsonObject } from '@ashlar/core';
import type { Answer, Caller, Question } from '../backup/caller.ts';
import type { AnsweredWrite } from './write-history.ts';

/** A config map as it is answered. */
export interface Stored {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
}

/** What a writer has done. */
export interface Written {
  readonly writes: readonly AnsweredWrite[];
  /** Increments of the shared counter, by object. */
  readonly increments: ReadonlyMap<string, number>;
  /** The last value of the key that only this writer writes, by object. */
  readonly own: ReadonlyMap<string, string>;
  readonly conflicts: number;
}

/** The key that only one writer writes. */
export const ownKey = (client: number): string => `client-${client}`;

export const parsed = ({ body }: Answer): Stored => JSON.parse(body.toString()) as Stored;

/** Writes to the same objects as others: increments a counter by PUT with a version, and sets a key of its own by patches and applies. */
export class Writer {
  readonly #caller: Caller;
  readonly #collection: string;
  readonly #client: number;
  readonly #writes: AnsweredWrite[] = [];
  readonly #increments = new Map<string, number>();
  readonly #own = new Map<string, string>();
  #conflicts = 0;

  constructor(caller: Caller, collection: string, client: number) {
    this.#caller = caller;
    this.#collection = collection;
    this.#client = client;
  }

  /** Writes until the end of the time. @throws Error for an answer other than success and conflict */
  async run(names: readonly string[], until: number): Promise<Written> {
    for (let round = 0; performance.now() < until; round++) {
      const name = names[(round + this.#client) % names.length] as string;
      if (round % 3 === 0) await this.#increment(name);
      else await this.#setOwn(name, String(round), round % 3 === 1);
    }
    return {
      ...{ writes: this.#writes, increments: this.#increments, own: this.#own },
      conflicts: this.#conflicts,
    };
  }

  async #increment(name: string): Promise<void> {
    const stored = parsed(await this.#caller.ask(`${this.#collection}/${name}`));
    const counter = String(Number(stored.data?.counter ?? 0) + 1);
    const body = { ...stored, data: { ...stored.data, counter } } as unknown as JsonObject;
    if (await this.#write(name, { method: 'PUT', body }))
      this.#increments.set(name, (this.#increments.get(name) ?? 0) + 1);
  }

  async #setOwn(name: string, value: string, applies: boolean): Promise<void> {
    const data = { [ownKey(this.#client)]: value };
    const done = applies ? await this.#apply(name, data) : await this.#patch(name, data);
    if (done) this.#own.set(name, value);
  }

  #patch(name: string, data: JsonObject): Promise<boolean> {
    return this.#write(name, {
      method: 'PATCH',
      body: { data },
      contentType: 'application/merge-patch+json',
    });
  }

  #apply(name: string, data: JsonObject): Promise<boolean> {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
    const query = `?fieldManager=${ownKey(this.#client)}&force=true`;
    return this.#write(name + query, { method: 'PATCH', body, contentType: 'application/apply-patch+yaml' });
  }

  /** Returns whether the object was written: a conflict is an answer, too. */
  async #write(path: string, question: Question): Promise<boolean> {
    const answer = await this.#caller.ask(`${this.#collection}/${path}`, question);
    if (answer.status === 409) {
      this.#conflicts++;
      return false;
    }
    if (answer.status !== 200) throw new Error(`${question.method} is ${answer.status}: ${answer.body}`);
    const { name, resourceVersion } = parsed(answer).metadata;
    this.#writes.push({ client: this.#client, name, resourceVersion });
    return true;
  }
}
