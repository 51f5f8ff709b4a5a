import type { Clock } from '@ashlar/core';
import { type CredentialSource, type Credentials, sameCertificate } from './credentials.ts';

export interface StoredSourceOptions {
  /** @throws Error if a file cannot be used */
  readonly read: () => Credentials;
  readonly clock: Clock;
  /** Closes the connections that present an outdated certificate. */
  retire(certificate: string): void;
}

/** How long files are cached. */
const REREAD_MILLISECONDS = 60_000;

/**
 * Credentials in a configuration or in files that it names. They are read immediately, and again after a
 * minute and after a 401. If rereading fails, they stay the same.
 */
export class StoredSource implements CredentialSource {
  readonly #options: StoredSourceOptions;
  #credentials: Credentials;
  #readAt: number;

  /** @throws Error if a file cannot be used */
  constructor(options: StoredSourceOptions) {
    this.#options = options;
    this.#credentials = options.read();
    this.#readAt = options.clock.monotonic();
  }

  current(): Credentials {
    const now = this.#options.clock.monotonic();
    if (now - this.#readAt >= REREAD_MILLISECONDS) {
      this.#readAt = now;
      this.#read();
    }
    return this.#credentials;
  }

  reject(credentials: Credentials): void {
    if (credentials === this.#credentials) this.#readAt = Number.NEGATIVE_INFINITY;
  }

  #read(): void {
    const before = this.#credentials;
    try {
      this.#credentials = this.#options.read();
    } catch {
      // it is being written, or the server will reject it
      return;
    }
    if (before.certificate !== undefined && !sameCertificate(before, this.#credentials))
      this.#options.retire(before.certificate);
  }
}
