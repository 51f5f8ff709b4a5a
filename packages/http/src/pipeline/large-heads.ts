import { type Ambient, pause, type ServerRequest } from '@ashlar/core';
import { PlainTextError } from './plain-text-error.ts';

/** Up to this number of characters of target and header, a request begins at once. */
const ORDINARY_CHARACTERS = 16 * 1024;
/** About what a listener needs to read 1,024 characters of a head, in milliseconds. */
const MILLISECONDS_PER_KILOBYTE = 0.004;
/** Maximum number of requests that wait: each holds its head in memory. */
const MAXIMUM_WAITING = 200;

/**
 * Requests whose target and header are large wait for their turn, one by one, before anything is read of them: a crowd of them would
 * otherwise leave no time for others. What they cost is known before their sender is.
 */
export class LargeHeads {
  readonly #ambient: Ambient;
  #waiting = 0;

  constructor(ambient: Ambient) {
    this.#ambient = ambient;
  }

  /**
   * Returns a promise that the work for a request must wait for, if its head is large.
   * @throws PlainTextError 429 if too many wait already
   */
  begin({ url, headers }: Pick<ServerRequest, 'url' | 'headers'>): Promise<void> | undefined {
    const characters = url.length + (headers.size ?? 0);
    if (characters <= ORDINARY_CHARACTERS) return undefined;
    if (this.#waiting >= MAXIMUM_WAITING) throw tooMany();
    return this.#wait((characters / 1024) * MILLISECONDS_PER_KILOBYTE);
  }

  async #wait(usedMilliseconds: number): Promise<void> {
    this.#waiting++;
    try {
      await pause(this.#ambient, usedMilliseconds);
    } finally {
      this.#waiting--;
    }
  }
}

/** The connection is closed, so that it does not send the next one at once. */
function tooMany(): PlainTextError {
  const headers = { 'retry-after': '1', connection: 'close' };
  return new PlainTextError(429, 'Too many requests, please try again later.\n', headers);
}
