import type { Ambient, Transport } from '@ashlar/core';
import type { PluginOutcome } from '../connection/plugin-source.ts';

/** What a configuration needs of the machine that it is used on. What is absent is rejected where it is asked for. */
export interface ConnectionSurroundings {
  readonly ambient: Ambient;
  readonly transport: Transport;
  /** @throws Error that names the file, where it cannot be read */
  readFile?(path: string, origin: string | undefined): string;
  /** @throws Error if a key does not belong to a certificate, or one of them is none */
  checkKeyPair?(certificate: string, key: string): void;
  /** URL of the proxy through which a server is reached where the configuration names none; undefined for none. */
  proxyOf?(baseUrl: string): string | undefined;
  /** Starts a credential plugin and waits for its end. */
  runPlugin?(call: PluginCall): Promise<PluginOutcome>;
  /** Whether a plugin may speak with a person at the standard input. Default false. */
  readonly terminal?: boolean;
}

/** One run of a plugin. */
export interface PluginCall {
  readonly command: string;
  readonly args: readonly string[];
  /** Set besides those of the caller. */
  readonly variables: Readonly<Record<string, string>>;
  /** Whether it gets the standard input. */
  readonly interactive: boolean;
  /** The file that a path of the command is relative to. */
  readonly origin: string | undefined;
}

/** Reads what a configuration names. @throws Error if that cannot be used */
export type CredentialReader = Required<Pick<ConnectionSurroundings, 'readFile' | 'checkKeyPair'>>;

/** The default: no files can be read, and keys are only checked by the TLS handshake. */
export function readerOf({ readFile, checkKeyPair }: ConnectionSurroundings): CredentialReader {
  return {
    readFile: (path, origin) => {
      if (readFile) return readFile(path, origin);
      throw new Error(`${path} cannot be read: there are no files here`);
    },
    checkKeyPair: (certificate, key) => checkKeyPair?.(certificate, key),
  };
}
