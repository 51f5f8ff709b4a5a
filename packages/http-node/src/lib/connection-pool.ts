import { type AgentOptions, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TransportTls } from '@ashlar/core';

/**
 * The connections that a transport keeps. Those on which a certificate is shown are kept apart from the others, so that
 * they can be ended when the certificate is replaced.
 */
export class ConnectionPool {
  readonly #options: AgentOptions;
  readonly #plain: HttpAgent;
  readonly #nameless: CallerAgent;
  readonly #callers = new Map<string, CallerAgent>();

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#plain = new HttpAgent(options);
    this.#nameless = new CallerAgent(options);
  }

  /** Where a request without encryption goes. */
  get plain(): HttpAgent {
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

/** Encrypted connections of one caller. The agent tells those of different TLS settings apart by itself. */
export class CallerAgent extends HttpsAgent {
  readonly #arriving = new Set<IncomingMessage>();
  #retired = false;

  /** An answer whose head is there and whose body is yet to be read. */
  follow(answer: IncomingMessage): void {
    if (this.#retired) return;
    this.#arriving.add(answer);
    answer.once('close', () => this.#arriving.delete(answer));
  }

  /** Requests that wait for their answer get it; nothing is kept afterwards. */
  retire(): void {
    this.#retired = true;
    for (const sockets of Object.values(this.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
    const reason = new Error('the certificate of the connection has been replaced');
    for (const answer of this.#arriving) answer.destroy(reason);
  }

  /** Asked by Node when a connection has become idle. */
  override keepSocketAlive(socket: Duplex): boolean {
    // Node's answer is missing in its types
    return !this.#retired && (super.keepSocketAlive(socket) as unknown as boolean);
  }
}
