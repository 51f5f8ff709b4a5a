import {
  createTokenWebhook,
  type TokenAuthenticator,
  type TokenCacheMetrics,
  type TokenDigest,
} from '@ashlar/authn';
import type { Ambient } from '@ashlar/core';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { UsageError } from '../usage-error.ts';
import type { WebhookConnections } from '../webhook-connections.ts';

const FILE = 'authentication-token-webhook-config-file';
const VERSION = 'authentication-token-webhook-version';
const CACHE = 'authentication-token-webhook-cache-ttl';

/**
 * Returns the token webhook that the flags configure; undefined without them.
 * @throws UsageError
 */
export function tokenWebhookOf(
  flags: ServeFlags,
  options: {
    readonly ambient: Ambient;
    readonly connections: WebhookConnections;
    /** Hashes cached tokens. */
    readonly digest: TokenDigest;
    readonly report: (text: string) => void;
  },
): ((apiAudiences: readonly string[], metrics: TokenCacheMetrics) => TokenAuthenticator) | undefined {
  const { ambient, connections, digest, report } = options;
  const file = flags[FILE];
  if (file === undefined) {
    const setFlag = ([VERSION, CACHE] as const).find((flag) => flags[flag] !== undefined);
    if (setFlag === undefined) return undefined;
    throw new UsageError(`flag --${setFlag} needs --${FILE}`);
  }
  const connection = connections.open(FILE, file);
  const version = flags[VERSION];
  const cacheMilliseconds = flags[CACHE];
  return (apiAudiences, metrics) =>
    createTokenWebhook({
      ...{ ambient, apiAudiences, metrics, digest, ...connection },
      ...(version && { version }),
      ...(cacheMilliseconds !== undefined && { cacheMilliseconds }),
      onError: ({ message }) => report(`ashlar: ${message}\n`),
    });
}
