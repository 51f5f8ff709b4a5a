import { ACCESS } from './flag-groups.ts';
import { duration, text } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';

type WebhookVersion = 'v1' | 'v1beta1';

/** Flags of the token webhook. Durations are in milliseconds. */
export interface TokenWebhookFlags {
  readonly 'authentication-token-webhook-config-file'?: string;
  readonly 'authentication-token-webhook-version'?: WebhookVersion;
  readonly 'authentication-token-webhook-cache-ttl'?: number;
}

/** Flags of the authorization mode `Webhook`. Durations are in milliseconds. */
export interface AuthorizationWebhookFlags {
  readonly 'authorization-webhook-config-file'?: string;
  readonly 'authorization-webhook-version'?: WebhookVersion;
  readonly 'authorization-webhook-cache-authorized-ttl'?: number;
  readonly 'authorization-webhook-cache-unauthorized-ttl'?: number;
}

const webhookVersion: Flag<WebhookVersion> = {
  group: ACCESS,
  value: 'v1|v1beta1',
  meaning: 'API version of the review that is sent to it (default v1beta1)',
  parse(argument) {
    if (argument !== 'v1' && argument !== 'v1beta1') throw new Error(`${argument} is neither v1 nor v1beta1`);
    return argument;
  },
};

export const tokenWebhookFlags: FlagTableOf<TokenWebhookFlags> = {
  'authentication-token-webhook-config-file': text(
    ACCESS,
    'FILE',
    'kubeconfig of the token authentication webhook',
  ),
  'authentication-token-webhook-version': webhookVersion,
  'authentication-token-webhook-cache-ttl': duration(ACCESS, 'how long to cache its answers (default 2m)'),
};

export const authorizationWebhookFlags: FlagTableOf<AuthorizationWebhookFlags> = {
  'authorization-webhook-config-file': text(
    ACCESS,
    'FILE',
    'kubeconfig of the webhook of the authorization mode Webhook',
  ),
  'authorization-webhook-version': webhookVersion,
  'authorization-webhook-cache-authorized-ttl': duration(
    ACCESS,
    'how long to cache answers that allow a request (default 5m)',
  ),
  'authorization-webhook-cache-unauthorized-ttl': duration(
    ACCESS,
    'how long to cache answers that do not (default 30s)',
  ),
};
