import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Answer, configMap, MAPS, type Send, versionOf } from './replica.fixture.ts';

/** Writers that go on, whatever happens; what is rejected must be rejected in the right way. */
export class Writing {
  /** Version of each object whose creation was answered. */
  readonly acknowledged: Map<string, number> = new Map();
  readonly refusals: number[] = [];
  /** Requests without a whole answer: only where a server has been killed. */
  unanswered: number = 0;
  #goesOn: boolean = true;
  /** A rejection that should not have been. */
  #fault: unknown;
  readonly #done: Promise<unknown>;

  /** @param servers writers take turns among them; each object is written by one writer */
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

  /** Resolves when so many more creations have been answered. */
  async more(count: number): Promise<void> {
    const goal = this.acknowledged.size + count;
    while (this.acknowledged.size < goal) await this.#pause();
  }

  /** Resolves when so many more requests have been rejected. */
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
        this.#judge(name, await send('POST', MAPS, configMap(name, `${i}`)));
      } catch (error) {
        // a server that has been killed answers nothing: that is all a client may see of it
        if (!mayDie || !isBroken(error)) throw error;
        this.unanswered++;
      }
      await sleep(2);
    }
  }

  #judge(name: string, { status, headers, body }: Answer): void {
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

/** The connection was rejected, or ended before the answer. */
function isBroken(error: unknown): boolean {
  return (
    error instanceof Error && /ECONN|EPIPE|socket hang up|aborted/.test(`${error.message} ${error.cause}`)
  );
}
