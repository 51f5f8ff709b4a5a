import type { Ambient, Transport } from '@ashlar/core';
import type { PluginOutcome } from '../connection/plugin-source.ts';

/**
 * What a configuration needs of the machine that it is used on. Absent members are rejected when they are
 * needed.
 */
export interface ConnectionSurroundings {
  readonly ambient: Ambient;
  readonly transport: Transport;
  /** @throws Error that names the file, if it cannot be read */
  readFile?(path: string, origin: string | undefined): string;
  /** @throws Error if key and certificate are invalid or do not match */
  checkKeyPair?(certificate: string, key: string): void;
  /** URL of the proxy for a server if the configuration names none; undefined for none. */
  proxyOf?(baseUrl: string): string | undefined;
  /** Runs a credential plugin to its end. */
  runPlugin?(call: PluginCall): Promise<PluginOutcome>;
  /** Whether a plugin may prompt at the standard input. Default false. */
  readonly terminal?: boolean;
}

/** One run of a plugin. */
export interface PluginCall {
  readonly command: string;
  readonly args: readonly string[];
  /** Set in addition to those of the caller. */
  readonly variables: Readonly<Record<string, string>>;
  /** Whether it inherits the standard input. */
  readonly interactive: boolean;
  /** The file that the path of the command is relative to. */
  readonly origin: string | undefined;
}

/** Reads a file or key pair that a configuration names. @throws Error if that cannot be used */
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
