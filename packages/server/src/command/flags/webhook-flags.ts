import { ACCESS } from './flag-groups.ts';
import { duration, text } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';

type WebhookVersion = 'v1' | 'v1beta1';

/** The service that is asked whose tokens are. Times are in milliseconds. */
export interface TokenWebhookFlags {
  readonly 'authentication-token-webhook-config-file'?: string;
  readonly 'authentication-token-webhook-version'?: WebhookVersion;
  readonly 'authentication-token-webhook-cache-ttl'?: number;
}

/** The service that the mode `Webhook` asks who may do what. Times are in milliseconds. */
export interface AuthorizationWebhookFlags {
  readonly 'authorization-webhook-config-file'?: string;
  readonly 'authorization-webhook-version'?: WebhookVersion;
  readonly 'authorization-webhook-cache-authorized-ttl'?: number;
  readonly 'authorization-webhook-cache-unauthorized-ttl'?: number;
}

const webhookVersion: Flag<WebhookVersion> = {
  group: ACCESS,
  value: 'v1|v1beta1',
  meaning: 'in which version it is asked (default v1beta1)',
  parse(given) {
    if (given !== 'v1' && given !== 'v1beta1') throw new Error(`${given} is neither v1 nor v1beta1`);
    return given;
  },
};

export const tokenWebhookFlags: FlagTableOf<TokenWebhookFlags> = {
  'authentication-token-webhook-config-file': text(
    ACCESS,
    'FILE',
    'client configuration of a service that is asked whose tokens are',
  ),
  'authentication-token-webhook-version': webhookVersion,
  'authentication-token-webhook-cache-ttl': duration(ACCESS, 'how long its answers are kept (default 2m)'),
};

export const authorizationWebhookFlags: FlagTableOf<AuthorizationWebhookFlags> = {
  'authorization-webhook-config-file': text(
    ACCESS,
    'FILE',
    'client configuration of the service that the mode Webhook asks',
  ),
  'authorization-webhook-version': webhookVersion,
  'authorization-webhook-cache-authorized-ttl': duration(
    ACCESS,
    'how long it is remembered what it allows (default 5m)',
  ),
  'authorization-webhook-cache-unauthorized-ttl': duration(
    ACCESS,
    'how long it is remembered what it does not (default 30s)',
  ),
};
