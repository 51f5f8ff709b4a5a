import { readFileSync } from 'node:fs';
import { type Ambient, withoutTrailing } from '@ashlar/core';
import { type EncryptionConfiguration, parseEncryptionConfiguration } from '@ashlar/encryption';
import type { ApiServer } from '../../assembly/api-server.ts';
import type { EncryptionAtRest } from '../../encryption/server-encryption.ts';
import { connectUnixKeyService, type UnixKeyService } from '../../encryption/unix-key-service.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { followConfigurationFile } from '../follow-configuration-file.ts';
import { UsageError } from '../usage-error.ts';

const FILE = 'encryption-provider-config';
const RELOAD = 'encryption-provider-config-automatic-reload';

/** The encryption that flags configure; disposed with the server. */
export interface ServeEncryption extends Disposable {
  /** Undefined if objects are stored as they are. */
  readonly atRest: EncryptionAtRest | undefined;
  /** Starts watching the file, if it is to be reloaded. */
  follow(server: ApiServer): void;
}

/** @throws UsageError if the file cannot be read, or the configuration cannot be used */
export function createServeEncryption(
  flags: ServeFlags,
  ambient: Ambient,
  report: (text: string) => void,
): ServeEncryption {
  const file = flags[FILE];
  const reload = flags[RELOAD] ?? false;
  if (file !== undefined) return new FileEncryption(file, { reload, flags, ambient, report });
  if (reload) throw new UsageError(`flag --${RELOAD} must be set with --${FILE}`);
  return { atRest: undefined, follow: () => {}, [Symbol.dispose]: () => {} };
}

interface FileEncryptionOptions {
  readonly reload: boolean;
  readonly flags: ServeFlags;
  readonly ambient: Ambient;
  readonly report: (text: string) => void;
}

class FileEncryption implements ServeEncryption {
  readonly atRest: EncryptionAtRest;
  readonly #file: string;
  /** The document with which the server started. */
  readonly #document: Uint8Array;
  readonly #options: FileEncryptionOptions;
  /** Those of all configurations that are in use, or were until a moment ago. */
  readonly #services: Set<UnixKeyService> = new Set();
  #following: Disposable | undefined;

  constructor(file: string, options: FileEncryptionOptions) {
    this.#file = file;
    this.#options = options;
    this.#document = usable(() => readFileSync(file));
    const prefix = options.flags['etcd-prefix'];
    this.atRest = {
      configuration: usable(() => this.#parse(this.#document)),
      reload: options.reload,
      connect: (provider) => {
        const service = connectUnixKeyService(provider, options.ambient.clock);
        this.#services.add(service);
        return {
          ...service,
          [Symbol.dispose]: () => {
            this.#services.delete(service);
            service[Symbol.dispose]();
          },
        };
      },
      ...(prefix !== undefined && { keyPrefix: withoutTrailing(prefix, '/') }),
    };
  }

  follow(server: ApiServer): void {
    const { reload, ambient, report } = this.#options;
    if (!reload) return;
    this.#following = followConfigurationFile(this.#file, {
      ...{ metrics: server.metrics, report, clock: ambient.clock },
      subsystem: 'encryption_config_controller',
      subject: 'encryption configuration',
      text: Buffer.from(this.#document).toString('utf8'),
      // what is invalid is tried again, as what cannot be reached
      parse: (text) => text,
      apply: (text) => server.useEncryption(this.#parse(new TextEncoder().encode(text))),
    });
  }

  [Symbol.dispose](): void {
    this.#following?.[Symbol.dispose]();
    for (const service of this.#services) service[Symbol.dispose]();
  }

  #parse(document: Uint8Array): EncryptionConfiguration {
    const { ambient, reload } = this.#options;
    const { vocabulary } = ambient;
    return parseEncryptionConfiguration(document, { vocabulary, file: this.#file, reload });
  }
}

/** @throws UsageError */
function usable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`flag --${FILE}: ${(error as Error).message}`);
  }
}
