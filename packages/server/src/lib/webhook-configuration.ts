import { ClientConfigurationError } from '@ashlar/client';
import { loadConnection } from '@ashlar/client-node';
import type { Ambient, Transport } from '@ashlar/core';
import { UsageError } from './usage-error.ts';

/** Where a webhook is, and what carries requests to it: the server logs in there by itself. */
export interface WebhookConnection {
  readonly url: string;
  readonly transport: Transport;
}

/**
 * Reads a client configuration file that names a webhook (specification 2, "Webhook contract for token authentication"; semantics K14):
 * the cluster and the user of its current context. Plugins of the user inherit the environment of the server, and no terminal.
 *
 * @throws UsageError that names the flag and the file
 */
export function readWebhookConfiguration(
  flag: string,
  file: string,
  surroundings: { readonly ambient: Ambient; readonly transport: Transport },
): WebhookConnection {
  const { ambient, transport } = surroundings;
  try {
    const connection = loadConnection({ ambient, transport, file, environment: process.env });
    return { url: connection.baseUrl, transport: connection.transport };
  } catch (error) {
    if (!(error instanceof ClientConfigurationError)) throw error;
    const { message } = error;
    throw new UsageError(`flag --${flag}: ${message.startsWith(file) ? '' : `${file}: `}${message}`);
  }
}
