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

/** The identity of the server's own controllers: a random token that is valid as long as the process and never leaves it. */
export interface LoopbackIdentity {
  readonly token: string;
  /** Accepts the loopback token; passes all other requests to the next authenticator. */
  authenticator(next: Authenticator): Authenticator;
  /** Allows the server itself every request; passes all others to the next authorizer. */
  authorizer(next: Authorizer): Authorizer;
}

/** The server as a caller. */
export const ITSELF: UserInfo = {
  name: 'system:apiserver',
  groups: ['system:masters', 'system:authenticated'],
};

const LOOPBACK: Authentication = { outcome: 'authenticated', user: ITSELF };

export function createLoopbackIdentity(random: Random): LoopbackIdentity {
  const token = randomUuid(random);
  const header = `Bearer ${token}`;
  return {
    token,
    authenticator: (next) => ({
      authenticate(request) {
        const line = request.headers.get('authorization');
        // the length of the token is not secret
        const isOwn = line?.length === header.length && equalInConstantTime(header, line);
        return isOwn ? LOOPBACK : next.authenticate(request);
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
