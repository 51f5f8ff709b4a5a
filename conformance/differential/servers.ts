import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orchVocabulary } from '@ashlar/core';
import { startOwnServer } from '../../bench/own-server.ts';
import { startEtcd } from '../../packages/storage-etcd/src/client/etcd-process.fixture.ts';
import { type ClientCertificates, createClientCertificates } from '../client-certificates.ts';
import { startServerUnderTest } from '../server-under-test.ts';

const TOKENS = 'admin-token,admin,admin-uid,"system:masters"\nalice-token,alice,alice-uid,"dev,qa"\n';

/** As those that run beside the reference. */
const CONTROLLERS = ['namespace', 'garbagecollector'] as const;

/** Servers of this project over one store, as the reference was started. */
export class OwnServers implements AsyncDisposable {
  readonly urls: string[] = [];
  /** The authority of their certificates, PEM. */
  readonly authority: string;
  /** What they need, in the order in which it was started. */
  readonly #parts: (Disposable | AsyncDisposable)[];

  private constructor(certificates: ClientCertificates) {
    this.authority = certificates.read('ca.crt');
    this.#parts = [certificates];
  }

  /** Starts processes: one that stores in memory, or several over an etcd. */
  static start(count: number): Promise<OwnServers> {
    return OwnServers.#started(async (servers, certificates) =>
      servers.#startAll(count, await servers.#flags(count, certificates.folder)),
    );
  }

  /** Starts one in the other vocabulary, in this process: the command has no workloads there. */
  static startTranslated(): Promise<OwnServers> {
    return OwnServers.#started(async (servers, certificates) => {
      const server = await startServerUnderTest(orchVocabulary, { certificates, controllers: CONTROLLERS });
      servers.#parts.push(server);
      servers.urls.push(server.url);
    });
  }

  static async #started(
    start: (servers: OwnServers, certificates: ClientCertificates) => Promise<void>,
  ): Promise<OwnServers> {
    const certificates = await createClientCertificates();
    const servers = new OwnServers(certificates);
    try {
      await start(servers, certificates);
      return servers;
    } catch (error) {
      await servers[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #flags(count: number, certificates: string): Promise<readonly string[]> {
    const file = (name: string): string => join(certificates, name);
    writeFileSync(file('tokens.csv'), TOKENS);
    return [
      ...['--storage', count > 1 ? await this.#startStorage() : 'memory'],
      ...['--tls-cert-file', file('server.crt'), '--tls-private-key-file', file('server.key')],
      ...['--client-ca-file', file('ca.crt'), '--token-auth-file', file('tokens.csv')],
      ...['--authorization-mode', 'RBAC', '--service-account-issuer', 'https://reference.local'],
      // each would generate its own, and know no tokens of the others
      ...['--service-account-signing-key-file', file('server.key')],
      ...['--controllers', CONTROLLERS.join(), '--disable-admission-plugins', 'ServiceAccount'],
    ];
  }

  async #startStorage(): Promise<string> {
    const etcd = await startEtcd();
    this.#parts.push(etcd);
    return `etcd:${etcd.url}`;
  }

  async #startAll(count: number, flags: readonly string[]): Promise<void> {
    for (let i = 0; i < count; i++) {
      const folder = mkdtempSync(join(tmpdir(), 'differential-'));
      this.#parts.push({ [Symbol.dispose]: () => rmSync(folder, { recursive: true }) });
      const server = await startOwnServer(folder, flags);
      this.#parts.push(server);
      this.urls.push(server.url);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const part of this.#parts.reverse())
      await (Symbol.asyncDispose in part ? part[Symbol.asyncDispose]() : part[Symbol.dispose]());
  }
}
