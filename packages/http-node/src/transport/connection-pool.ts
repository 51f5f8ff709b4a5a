import type { AgentOptions } from 'node:http';
import type { TransportTls } from '@ashlar/core';
import { CallerAgent, PlainAgent } from './agents.ts';

/**
 * The connections of a transport. Those with a client certificate are separate from the others, so that they
 * can be closed when the certificate is replaced.
 */
export class ConnectionPool {
  readonly #options: AgentOptions;
  readonly #plain: PlainAgent;
  readonly #nameless: CallerAgent;
  readonly #callers = new Map<string, CallerAgent>();

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#plain = new PlainAgent(options);
    this.#nameless = new CallerAgent(options);
  }

  /** Returns the agent of an unencrypted request. */
  get unencrypted(): PlainAgent {
    return this.#plain;
  }

  /** Returns the agent of an encrypted request. */
  encrypted(tls: TransportTls | undefined): CallerAgent {
    if (tls?.certificate === undefined) return this.#nameless;
    const agent = this.#callers.get(tls.certificate) ?? new CallerAgent(this.#options);
    this.#callers.set(tls.certificate, agent);
    return agent;
  }

  /** Closes the connections that present a certificate. */
  retire(certificate: string): void {
    this.#callers.get(certificate)?.retire();
    this.#callers.delete(certificate);
  }

  /** Closes all connections. */
  close(): void {
    for (const agent of [this.#plain, this.#nameless, ...this.#callers.values()]) agent.destroy();
    this.#callers.clear();
  }
}
