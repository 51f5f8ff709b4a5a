import {
  type Ambient,
  type ApiObject,
  type Authentication,
  systemNamespace,
  type UserInfo,
} from '@ashlar/core';
import { equalInConstantTime } from './secret-index.ts';
import { NONE, type TokenAuthenticator } from './token-authenticator.ts';

export interface BootstrapTokensOptions {
  readonly ambient: Pick<Ambient, 'clock' | 'vocabulary'>;
  /** Reads a secret as it is now. */
  secret(namespace: string, name: string): Promise<ApiObject | undefined>;
}

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const EVERYBODY = 'system:bootstrappers';

/**
 * Knows the tokens with which new members of a cluster first come, each kept in a secret of the system namespace
 * (specification 2, "Bootstrap tokens"; semantics K1).
 */
export function createBootstrapTokens({ ambient, secret }: BootstrapTokensOptions): TokenAuthenticator {
  const namespace = systemNamespace(ambient.vocabulary, 'system');
  const type = `bootstrap.${ambient.vocabulary.labelDomain}/token`;
  return {
    hasForm: (token) => TOKEN.test(token),
    authenticateToken(token) {
      const [, id, guess] = TOKEN.exec(token) ?? [];
      if (id === undefined || guess === undefined) return NONE;
      return judged(async () => {
        const found = await secret(namespace, `bootstrap-token-${id}`);
        if (!found || found.type !== type || found.metadata.deletionTimestamp !== undefined) return NONE;
        return judge(id, guess, texts(found), ambient.clock.now());
      });
    },
  };
}

async function judged(ask: () => Promise<Authentication>): Promise<Authentication> {
  try {
    return await ask();
  } catch (error) {
    return { outcome: 'rejected', error: error instanceof Error ? error : new Error(String(error)) };
  }
}

type Fields = (name: string) => string;

/** The fields of a secret as texts; absent ones are empty. */
function texts({ data }: ApiObject): Fields {
  const fields = (data ?? {}) as Readonly<Record<string, string>>;
  return (name) => (Object.hasOwn(fields, name) ? atob(fields[name] as string) : '');
}

function judge(id: string, guess: string, field: Fields, now: number): Authentication {
  const secret = field('token-secret');
  if (secret === '' || !equalInConstantTime(secret, guess) || field('token-id') !== id) return NONE;
  if (isExpired(field('expiration'), now) || field('usage-bootstrap-authentication') !== 'true') return NONE;
  return { outcome: 'authenticated', user: userOf(id, field('auth-extra-groups')) };
}

/** A time that cannot be read is over. */
function isExpired(expiration: string, now: number): boolean {
  if (expiration === '') return false;
  const end = Date.parse(expiration);
  return Number.isNaN(end) || now >= end;
}

/** @throws Error for a group that such a token cannot give */
function userOf(id: string, extraGroups: string): UserInfo {
  const groups = new Set([EVERYBODY]);
  for (const group of extraGroups === '' ? [] : extraGroups.split(',')) {
    if (!GROUP.test(group)) throw new Error(`the bootstrap token gives the group ${group}, which it cannot`);
    groups.add(group);
  }
  return { name: `system:bootstrap:${id}`, groups: [...groups].sort() };
}
