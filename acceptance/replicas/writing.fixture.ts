import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Answer, configMap, MAPS, type Send, versionOf } from './replica.fixture.ts';

/** Writers that continue through all faults; rejections must be the right ones. */
export class Writing {
  /** Version of each object whose creation was acknowledged. */
  readonly acknowledged: Map<string, number> = new Map();
  readonly refusals: number[] = [];
  /** Requests without a complete response: only if a server has been killed. */
  unanswered: number = 0;
  #goesOn: boolean = true;
  /** A wrong rejection. */
  #fault: unknown;
  readonly #done: Promise<unknown>;

  /** @param servers used in turn; each object has one writer */
  constructor(
    servers: readonly Send[],
    writers: number,
    { mayDie = false }: { readonly mayDie?: boolean } = {},
  ) {
    const write = (_: unknown, writer: number): Promise<void> =>
      this.#write(servers, writer, mayDie).catch((fault) => {
        this.#fault ??= fault;
      });
    this.#done = Promise.all(Array.from({ length: writers }, write));
  }

  /** Resolves after this many more acknowledged creations. */
  async more(count: number): Promise<void> {
    const goal = this.acknowledged.size + count;
    while (this.acknowledged.size < goal) await this.#pause();
  }

  /** Resolves after this many more rejected requests. */
  async refused(count: number): Promise<void> {
    const goal = this.refusals.length + count;
    while (this.refusals.length < goal) await this.#pause();
  }

  async stop(): Promise<void> {
    this.#goesOn = false;
    await this.#done;
    await this.#pause();
  }

  async #pause(): Promise<void> {
    if (this.#fault) throw this.#fault;
    await sleep(5);
  }

  async #write(servers: readonly Send[], writer: number, mayDie: boolean): Promise<void> {
    for (let i = 0; this.#goesOn; i++) {
      const name = `w${writer}-${i}`;
      const send = servers[(writer + i) % servers.length] as Send;
      try {
        this.#check(name, await send('POST', MAPS, configMap(name, `${i}`)));
      } catch (error) {
        // a killed server does not respond: that is all a client may see
        if (!mayDie || !isBroken(error)) throw error;
        this.unanswered++;
      }
      await sleep(2);
    }
  }

  #check(name: string, { status, headers, body }: Answer): void {
    if (status === 201) {
      this.acknowledged.set(name, versionOf(body));
      return;
    }
    expect([503, 504], JSON.stringify(body)).toContain(status);
    expect(Number(headers['retry-after']), JSON.stringify(body)).toBeGreaterThan(0);
    expect(body).toMatchObject({ kind: 'Status', status: 'Failure', code: status });
    this.refusals.push(status);
  }
}

/** The connection was rejected, or ended before the response. */
export function isBroken(error: unknown): boolean {
  return (
    error instanceof Error && /ECONN|EPIPE|socket hang up|aborted/.test(`${error.message} ${error.cause}`)
  );
}
