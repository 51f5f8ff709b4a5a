import { CodedError } from '@ashlar/core';

/**
 * Configuration files, merged: clusters, users and contexts by name, with the field names of the files
 * (semantics/access#client-configuration).
 * Empty strings count as absent.
 */
export interface ClientConfiguration {
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
}

/** Fields of every entry. */
export interface ConfigurationEntry {
  /** The file of the entry, which its paths are relative to; undefined if it came from no file. */
  readonly origin: string | undefined;
}

/** A server. Members that end with `-data` are decoded: PEM texts. */
export interface ClusterEntry extends ConfigurationEntry {
  readonly server: string | undefined;
  readonly 'certificate-authority': string | undefined;
  readonly 'certificate-authority-data': string | undefined;
  readonly 'insecure-skip-tls-verify': boolean;
  readonly 'tls-server-name': string | undefined;
  readonly 'proxy-url': string | undefined;
  readonly 'disable-compression': boolean;
  readonly extensions: readonly { readonly name: string; readonly extension?: unknown }[];
}

/** The credentials and impersonation of a user. Members that end with `-data` are decoded: PEM texts. */
export interface UserEntry extends ConfigurationEntry {
  readonly 'client-certificate': string | undefined;
  readonly 'client-certificate-data': string | undefined;
  readonly 'client-key': string | undefined;
  readonly 'client-key-data': string | undefined;
  readonly token: string | undefined;
  readonly tokenFile: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly as: string | undefined;
  readonly 'as-uid': string | undefined;
  readonly 'as-groups': readonly string[];
  readonly 'as-user-extra': ReadonlyMap<string, readonly string[]>;
  readonly exec: ExecEntry | undefined;
  readonly 'auth-provider'?: unknown;
}

/** A credential plugin (semantics/access#client-configuration). */
export interface ExecEntry {
  readonly command: string | undefined;
  readonly apiVersion: string | undefined;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string | undefined; readonly value: string | undefined }[];
  readonly installHint: string | undefined;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: string | undefined;
}

/** A server, a user and a namespace that belong together. */
export interface ContextEntry extends ConfigurationEntry {
  readonly cluster: string | undefined;
  readonly user: string | undefined;
  readonly namespace: string | undefined;
}

/**
 * A configuration that cannot be used. The message names the place and the problem, and contains no value
 * that could be a credential.
 */
export class ClientConfigurationError extends CodedError {
  static override readonly code: string = 'ERR_CLIENT_CONFIGURATION';
  override readonly name: string = 'ClientConfigurationError';
}
