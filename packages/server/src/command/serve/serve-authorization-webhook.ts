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

/** What a webhook that decides is made with. */
export interface AuthorizationWebhookOptions {
  readonly ambient: Ambient;
  readonly connections: WebhookConnections;
  readonly report: (text: string) => void;
}

/** Makes the authorizer that asks a service, where its calls are counted. */
export type MakeWebhook = (metrics: AuthorizerMetrics) => Authorizer;

/**
 * The service that the mode `Webhook` asks, by the flags; undefined where that is not among the modes.
 * @throws UsageError
 */
export function authorizationWebhookOf(
  flags: ServeFlags,
  { ambient, connections, report }: AuthorizationWebhookOptions,
): MakeWebhook | undefined {
  const isWanted = flags['authorization-mode']?.includes('Webhook') === true;
  const file = flags[FILE];
  const idle = ([FILE, ...OTHERS] as const).find((flag) => flags[flag] !== undefined);
  if (!isWanted && idle !== undefined)
    throw new UsageError(
      `flag --${idle}: it is for the authorization mode Webhook, which is not among the modes`,
    );
  if (!isWanted) return undefined;
  if (file === undefined) throw new UsageError(`flag --authorization-mode: Webhook needs the flag --${FILE}`);
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
 * The service that a configuration names.
 * @throws UsageError
 */
export function configuredWebhook(
  { connection, ...webhook }: WebhookConfiguration,
  name: string,
  { ambient, connections, report }: AuthorizationWebhookOptions,
): MakeWebhook {
  if (connection.type === 'InClusterConfig')
    throw new UsageError(
      `flag --authorization-config: the authorizer ${name} is to ask this server itself, by InClusterConfig`,
    );
  const options = {
    ...{ ambient, ...connections.open('authorization-config', connection.file) },
    ...{ ...webhook, name },
    onError: ({ message }: Error) => report(`ashlar: ${name}: ${message}\n`),
  };
  return (metrics) => createWebhookAuthorizer({ ...options, metrics });
}
