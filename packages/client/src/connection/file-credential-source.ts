import type { Clock } from '@ashlar/core';
import { type CredentialSource, type Credentials, sameCertificate } from './credentials.ts';

export interface StoredSourceOptions {
  /** @throws Error if a file cannot be used */
  readonly read: () => Credentials;
  readonly clock: Clock;
  /** Ends the connections on which a certificate is shown that holds no longer. */
  retire(certificate: string): void;
}

/** How long files count as they were read. */
const REREAD_MILLISECONDS = 60_000;

/**
 * Credentials that stand in a configuration or in files that it names. They are read at once, and again when a minute has passed
 * and after a 401. What cannot be read again leaves things as they are.
 */
export class StoredSource implements CredentialSource {
  readonly #options: StoredSourceOptions;
  #held: Credentials;
  #readAt: number;

  /** @throws Error if a file cannot be used */
  constructor(options: StoredSourceOptions) {
    this.#options = options;
    this.#held = options.read();
    this.#readAt = options.clock.monotonic();
  }

  current(): Credentials {
    const now = this.#options.clock.monotonic();
    if (now - this.#readAt >= REREAD_MILLISECONDS) {
      this.#readAt = now;
      this.#read();
    }
    return this.#held;
  }

  reject(credentials: Credentials): void {
    if (credentials === this.#held) this.#readAt = Number.NEGATIVE_INFINITY;
  }

  #read(): void {
    const before = this.#held;
    try {
      this.#held = this.#options.read();
    } catch {
      // it is being written, or will be missed by the server
      return;
    }
    if (before.certificate !== undefined && !sameCertificate(before, this.#held))
      this.#options.retire(before.certificate);
  }
}
