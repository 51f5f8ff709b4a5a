import { ClientConfigurationError } from '@ashlar/client';
import { type LoadedConnection, loadConnection } from '@ashlar/client-node';
import type { Ambient, Transport } from '@ashlar/core';
import { UsageError } from './usage-error.ts';

/** URL of a webhook, and a transport that authenticates to it. */
export interface WebhookConnection {
  readonly url: string;
  readonly transport: Transport;
}

/**
 * Connections to webhooks that client configuration files name (semantics/access#token-webhook; semantics/access#client-configuration): to the cluster and as the user of their current context. Plugins of the user inherit the environment of the server, and no
 * terminal; those that run end with the connections.
 */
export class WebhookConnections implements Disposable {
  readonly #surroundings: { readonly ambient: Ambient; readonly transport: Transport };
  readonly #open: LoadedConnection[] = [];

  constructor({ ambient, transport }: { readonly ambient: Ambient; readonly transport: Transport }) {
    this.#surroundings = { ambient, transport };
  }

  /** @throws UsageError that names the flag and the file */
  open(flag: string, file: string): WebhookConnection {
    try {
      const connection = loadConnection({ ...this.#surroundings, file, environment: process.env });
      this.#open.push(connection);
      return { url: connection.baseUrl, transport: connection.transport };
    } catch (error) {
      if (!ClientConfigurationError.is(error)) throw error;
      const { message } = error;
      throw new UsageError(`flag --${flag}: ${message.startsWith(file) ? '' : `${file}: `}${message}`);
    }
  }

  [Symbol.dispose](): void {
    for (const connection of this.#open.splice(0)) connection[Symbol.dispose]();
  }
}
