import { ClientConfigurationError } from '@ashlar/client';
import { loadConnection, loadUsers } from '@ashlar/client-node';
import type { Ambient, Transport } from '@ashlar/core';
import { UsageError } from './usage-error.ts';
import { userOfServer } from './user-of-server.ts';

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
  readonly #open: Disposable[] = [];

  constructor({ ambient, transport }: { readonly ambient: Ambient; readonly transport: Transport }) {
    this.#surroundings = { ambient, transport };
  }

  /** @throws UsageError that names the flag and the file */
  open(flag: string, file: string): WebhookConnection {
    return this.#load(flag, file, () => {
      const connection = loadConnection({ ...this.#surroundings, file, environment: process.env });
      this.#open.push(connection);
      return { url: connection.baseUrl, transport: connection.transport };
    });
  }

  /**
   * Opens a file whose users are those for servers of webhooks, and returns the transport for a server: undefined if the file has no user for it.
   * @throws UsageError that names the flag and the file
   */
  openUsers(flag: string, file: string): (server: string) => Transport | undefined {
    return this.#load(flag, file, () => {
      const users = loadUsers({ ...this.#surroundings, file, environment: process.env });
      this.#open.push(users);
      const { transports, current = '' } = users;
      return (server) => transports.get(userOfServer(transports, server) ?? current);
    });
  }

  #load<T>(flag: string, file: string, load: () => T): T {
    try {
      return load();
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
