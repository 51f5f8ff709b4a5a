import { equalInConstantTime } from '@ashlar/authn';
import { rulesOf } from '@ashlar/authz';
import {
  type Authentication,
  type Authenticator,
  type Authorizer,
  type Random,
  randomUuid,
  type UserInfo,
} from '@ashlar/core';

/** The server's own caller: a token that lives as long as the process and is known to nobody else, for its own loops. */
export interface LoopbackIdentity {
  readonly token: string;
  /** Recognises the token, and asks the given authenticator about all else. */
  authenticator(next: Authenticator): Authenticator;
  /** Allows the server itself everything. */
  authorizer(next: Authorizer): Authorizer;
}

/** The server as a caller. */
export const ITSELF: UserInfo = {
  name: 'system:apiserver',
  groups: ['system:masters', 'system:authenticated'],
};

const KNOWN: Authentication = { outcome: 'authenticated', user: ITSELF };

export function createLoopbackIdentity(random: Random): LoopbackIdentity {
  const token = randomUuid(random);
  const header = `Bearer ${token}`;
  return {
    token,
    authenticator: (next) => ({
      authenticate(request) {
        const line = request.headers.get('authorization');
        // its length is no secret
        const isOwn = line?.length === header.length && equalInConstantTime(header, line);
        return isOwn ? KNOWN : next.authenticate(request);
      },
      ...(next.authenticateToken && { authenticateToken: next.authenticateToken.bind(next) }),
    }),
    authorizer: (next) => ({
      authorize: (attributes, signal) =>
        attributes.user === ITSELF ? { decision: 'allow' } : next.authorize(attributes, signal),
      rules: (user, namespace) => rulesOf([next], user, namespace),
    }),
  };
}
