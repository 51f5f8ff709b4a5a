import { type AuthorizerMetrics, createWebhookAuthorizer, type WebhookConfiguration } from '@ashlar/authz';
import type { Ambient, Authorizer } from '@ashlar/core';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { UsageError } from '../usage-error.ts';
import type { WebhookConnections } from '../webhook-connections.ts';

const FILE = 'authorization-webhook-config-file';
const OTHERS = [
  'authorization-webhook-version',
  'authorization-webhook-cache-authorized-ttl',
  'authorization-webhook-cache-unauthorized-ttl',
] as const;

/** Dependencies of an authorization webhook. */
export interface AuthorizationWebhookOptions {
  readonly ambient: Ambient;
  readonly connections: WebhookConnections;
  readonly report: (text: string) => void;
}

/** Creates a webhook authorizer that registers its metrics. */
export type MakeWebhook = (metrics: AuthorizerMetrics) => Authorizer;

/**
 * Returns the webhook of the mode `Webhook`; undefined if the mode is not enabled.
 * @throws UsageError
 */
export function authorizationWebhookOf(
  flags: ServeFlags,
  { ambient, connections, report }: AuthorizationWebhookOptions,
): MakeWebhook | undefined {
  const isEnabled = flags['authorization-mode']?.includes('Webhook') === true;
  const file = flags[FILE];
  const setFlag = ([FILE, ...OTHERS] as const).find((flag) => flags[flag] !== undefined);
  if (!isEnabled && setFlag !== undefined)
    throw new UsageError(`flag --${setFlag} needs --authorization-mode Webhook`);
  if (!isEnabled) return undefined;
  if (file === undefined) throw new UsageError(`flag --authorization-mode: Webhook needs --${FILE}`);
  const [version, authorizedMilliseconds, unauthorizedMilliseconds] = OTHERS.map((flag) => flags[flag]);
  const options = {
    ...{ ambient, ...connections.open(FILE, file) },
    ...(version !== undefined && { version: version as 'v1' | 'v1beta1' }),
    ...(authorizedMilliseconds !== undefined && { authorizedMilliseconds: authorizedMilliseconds as number }),
    ...(unauthorizedMilliseconds !== undefined && {
      unauthorizedMilliseconds: unauthorizedMilliseconds as number,
    }),
    onError: ({ message }: Error) => report(`ashlar: ${message}\n`),
  };
  return (metrics) => createWebhookAuthorizer({ ...options, metrics });
}

/**
 * Returns the webhook that an authorization configuration describes.
 * @throws UsageError
 */
export function configuredWebhook(
  { connection, ...webhook }: WebhookConfiguration,
  name: string,
  { ambient, connections, report }: AuthorizationWebhookOptions,
): MakeWebhook {
  if (connection.type === 'InClusterConfig')
    throw new UsageError(
      `flag --authorization-config: the authorizer ${name}: connectionInfo.type InClusterConfig is not supported`,
    );
  const options = {
    ...{ ambient, ...connections.open('authorization-config', connection.file) },
    ...{ ...webhook, name },
    onError: ({ message }: Error) => report(`ashlar: ${name}: ${message}\n`),
  };
  return (metrics) => createWebhookAuthorizer({ ...options, metrics });
}
