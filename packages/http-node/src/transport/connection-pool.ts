import type { AgentOptions } from 'node:http';
import type { TransportTls } from '@ashlar/core';
import { CallerAgent, PlainAgent } from './agents.ts';

/**
 * The connections that a transport keeps. Those on which a certificate is shown are kept apart from the others, so that
 * they can be ended when the certificate is replaced.
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

  /** Where a request without encryption goes. */
  get plain(): PlainAgent {
    return this.#plain;
  }

  /** Where an encrypted request goes. */
  encrypted(tls: TransportTls | undefined): CallerAgent {
    if (tls?.certificate === undefined) return this.#nameless;
    const agent = this.#callers.get(tls.certificate) ?? new CallerAgent(this.#options);
    this.#callers.set(tls.certificate, agent);
    return agent;
  }

  /** Ends the connections on which a certificate is shown. */
  retire(certificate: string): void {
    this.#callers.get(certificate)?.retire();
    this.#callers.delete(certificate);
  }

  /** Ends all connections. */
  close(): void {
    for (const agent of [this.#plain, this.#nameless, ...this.#callers.values()]) agent.destroy();
    this.#callers.clear();
  }
}
