import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, randomUuid } from '@ashlar/core';
import { clientConfiguration } from '../client-configuration.ts';
import { UsageError } from '../usage-error.ts';
import type { ServerIdentity } from './server-identity.ts';

const FILES = {
  certificateAuthority: 'ca.crt',
  certificate: 'server.crt',
  key: 'server.key',
  token: 'admin.token',
} as const;

/** The folder in which a server without flags stores its state; only its owner can read the files. */
export class StateFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Creates the folder. @throws UsageError */
  open(): void {
    try {
      mkdirSync(this.path, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new UsageError(
        `the folder ${this.path} cannot be created (${(error as NodeJS.ErrnoException).code ?? error})`,
      );
    }
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** Returns the stored identity; generates it, and creates the folder, where it is missing. @throws UsageError */
  async identity(random: Random): Promise<ServerIdentity> {
    this.open();
    if (Object.values(FILES).every((name) => existsSync(this.file(name)))) return this.#read();
    const { createCertificates } = await import('../../certificates/self-signed-certificates.ts');
    const { certificateAuthority, certificate, key } = await createCertificates();
    const identity = { certificateAuthority, certificate, key, token: randomUuid(random) };
    for (const [part, name] of Object.entries(FILES))
      this.write(name, identity[part as keyof ServerIdentity]);
    return identity;
  }

  /** Writes a kubeconfig for the server and returns its path. */
  writeClientConfiguration(server: string, identity: ServerIdentity): string {
    this.write('kubeconfig', clientConfiguration(server, identity));
    return this.file('kubeconfig');
  }

  /** @throws UsageError */
  write(name: string, text: string): void {
    this.#with(name, 'written', (file) => {
      writeFileSync(file, text, { mode: 0o600 });
      chmodSync(file, 0o600);
    });
  }

  #read(): ServerIdentity {
    const read = (name: string): string => this.#with(name, 'read', (file) => readFileSync(file, 'utf8'));
    return {
      certificateAuthority: read(FILES.certificateAuthority),
      certificate: read(FILES.certificate),
      key: read(FILES.key),
      token: read(FILES.token).trim(),
    };
  }

  #with<T>(name: string, participle: 'read' | 'written', run: (file: string) => T): T {
    const file = this.file(name);
    try {
      return run(file);
    } catch (error) {
      throw new UsageError(
        `${file} cannot be ${participle} (${(error as NodeJS.ErrnoException).code ?? error})`,
      );
    }
  }
}
