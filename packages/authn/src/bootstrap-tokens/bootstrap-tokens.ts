import {
  type Ambient,
  type ApiObject,
  type Authentication,
  systemNamespace,
  type UserInfo,
} from '@ashlar/core';
import { rejectOnError } from '../tokens/reject-on-error.ts';
import { equalInConstantTime } from '../tokens/secret-index.ts';
import { NONE, type TokenAuthenticator } from '../tokens/token-authenticator.ts';
import {
  type BootstrapSecret,
  bootstrapSecretName,
  isBootstrapSecretExpired,
  readBootstrapSecret,
} from './bootstrap-secret.ts';

export interface BootstrapTokensOptions {
  readonly ambient: Pick<Ambient, 'clock' | 'vocabulary'>;
  /** Reads the current secret. */
  secret(namespace: string, name: string): Promise<ApiObject | undefined>;
}

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const EVERYBODY = 'system:bootstrappers';

/**
 * Authenticates bootstrap tokens, with which new nodes join a cluster; each is stored as a secret of the system namespace
 * (semantics/access#authentication).
 */
export function createBootstrapTokens({ ambient, secret }: BootstrapTokensOptions): TokenAuthenticator {
  const namespace = systemNamespace(ambient.vocabulary, 'system');
  return {
    hasForm: (token) => TOKEN.test(token),
    authenticateToken(token) {
      const [, id, guess] = TOKEN.exec(token) ?? [];
      if (id === undefined || guess === undefined) return NONE;
      return rejectOnError(async () => {
        const found = await secret(namespace, bootstrapSecretName(id));
        if (!found || found.metadata.deletionTimestamp !== undefined) return NONE;
        const stored = readBootstrapSecret(found, ambient.vocabulary);
        return stored ? authenticate(id, guess, stored, ambient.clock.now()) : NONE;
      });
    },
  };
}

function authenticate(id: string, guess: string, stored: BootstrapSecret, now: number): Authentication {
  if (stored.secret === '' || !equalInConstantTime(stored.secret, guess) || stored.id !== id) return NONE;
  if (isBootstrapSecretExpired(stored, now) || !stored.authenticates) return NONE;
  return { outcome: 'authenticated', user: userOf(id, stored.extraGroups) };
}

/** @throws Error for a disallowed group */
function userOf(id: string, extraGroups: string): UserInfo {
  const groups = new Set([EVERYBODY]);
  for (const group of extraGroups === '' ? [] : extraGroups.split(',')) {
    if (!GROUP.test(group)) throw new Error(`the bootstrap token gives the group ${group}, which it cannot`);
    groups.add(group);
  }
  return { name: `system:bootstrap:${id}`, groups: [...groups].sort() };
}
