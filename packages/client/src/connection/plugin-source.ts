import { type Ambient, UnusableResponseError } from '@ashlar/core';
import { type CredentialSource, type Credentials, sameCertificate } from './credentials.ts';
import { type ExpiringCredentials, readExecCredential } from './exec-credential.ts';
import type { ExecPlugin } from './exec-plugin.ts';

/** How a run of a plugin ended. */
export type PluginOutcome =
  /** It exited; `output` is what it printed. */
  | { readonly outcome: 'ended'; readonly code: number; readonly output: Uint8Array }
  | { readonly outcome: 'killed'; readonly signal: string }
  /** The command does not exist. */
  | { readonly outcome: 'missing' }
  /** It could not be started, or failed; `reason` says how. */
  | { readonly outcome: 'failed'; readonly reason: string };

export interface PluginSourceOptions {
  readonly plugin: ExecPlugin;
  readonly ambient: Ambient;
  /** Whether there is an interactive standard input. */
  readonly terminal: boolean;
  run(interactive: boolean): Promise<PluginOutcome>;
  /** @throws Error if key and certificate are invalid or do not match */
  checkKeyPair(certificate: string, key: string): void;
  /** Closes the connections that present an outdated certificate. */
  retire(certificate: string): void;
}

/** A plugin returned no credentials and is not retried immediately. The message does not contain its output. */
export class CredentialPluginError extends UnusableResponseError {
  static override readonly code: string = 'ERR_CREDENTIAL_PLUGIN';
  override readonly name: string = 'CredentialPluginError';
}

/**
 * Credentials of a plugin, which is run when they are first needed, when they have expired, and after a 401.
 * Concurrent callers wait for the same run.
 */
export class PluginSource implements CredentialSource {
  readonly #options: PluginSourceOptions;
  #current: ExpiringCredentials | undefined;
  /** The last credentials, rejected or not. */
  #shown: Credentials | undefined;
  #running: Promise<Credentials> | undefined;

  constructor(options: PluginSourceOptions) {
    this.#options = options;
  }

  current(): Credentials | Promise<Credentials> {
    const { credentials, expires = Number.POSITIVE_INFINITY } = this.#current ?? {};
    if (credentials && this.#options.ambient.clock.now() <= expires) return credentials;
    this.#running ??= this.#renew().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  reject(credentials: Credentials): void {
    if (this.#current?.credentials === credentials) this.#current = undefined;
  }

  async #renew(): Promise<Credentials> {
    const { plugin, retire } = this.#options;
    try {
      this.#current = await this.#runPlugin();
    } catch (error) {
      const { message } = error as Error;
      throw new CredentialPluginError(`the credential plugin ${plugin.command}: ${message}`);
    }
    const { credentials } = this.#current;
    const { certificate } = this.#shown ?? {};
    if (certificate !== undefined && !sameCertificate(credentials, this.#shown ?? {})) retire(certificate);
    this.#shown = credentials;
    return credentials;
  }

  async #runPlugin(): Promise<ExpiringCredentials> {
    const { plugin, terminal, run, checkKeyPair } = this.#options;
    if (plugin.interactiveMode === 'Always' && !terminal)
      throw new Error('its interactiveMode is Always, and there is no terminal at the standard input');
    const ended = await run(terminal && plugin.interactiveMode !== 'Never');
    const received = readExecCredential(outputOf(ended, plugin), plugin);
    const { certificate, key } = received.credentials;
    if (certificate !== undefined && key !== undefined) checkKeyPair(certificate, key);
    return received;
  }
}

/** @throws Error if it failed */
function outputOf(ended: PluginOutcome, { installHint }: ExecPlugin): Uint8Array {
  if (ended.outcome === 'missing')
    throw new Error(
      installHint === undefined
        ? 'its command cannot be found'
        : `its command cannot be found\n\n${installHint}`,
    );
  if (ended.outcome === 'failed') throw new Error(ended.reason);
  if (ended.outcome === 'killed') throw new Error(`it was ended by ${ended.signal}`);
  if (ended.code !== 0) throw new Error(`it ended with exit code ${ended.code}`);
  return ended.output;
}
