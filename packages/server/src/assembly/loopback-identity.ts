import { equalInConstantTime } from '@ashlar/authn';
import { rulesOf } from '@ashlar/authz';
import { type Authenticator, type Authorizer, type Random, randomUuid, type UserInfo } from '@ashlar/core';

/** The identities of the server's own requests: random tokens that are valid as long as the process and never leave it. */
export interface LoopbackIdentity {
  /** The token of the server itself. */
  readonly token: string;
  /** Returns a token by which a part of the server acts as another user, with every right as well. */
  tokenOf(user: UserInfo): string;
  /** Accepts these tokens; passes all other requests to the next authenticator. */
  authenticator(next: Authenticator): Authenticator;
  /** Allows the server's own requests; passes all others to the next authorizer. */
  authorizer(next: Authorizer): Authorizer;
}

/** The server as a caller. */
export const ITSELF: UserInfo = {
  name: 'system:apiserver',
  groups: ['system:masters', 'system:authenticated'],
};

export function createLoopbackIdentity(random: Random): LoopbackIdentity {
  return new Loopback(random);
}

class Loopback implements LoopbackIdentity {
  readonly token: string;
  /** The beginning of the header of all tokens; the number of their user follows. */
  readonly #header: string;
  readonly #users: UserInfo[] = [];

  constructor(random: Random) {
    this.#header = `Bearer ${randomUuid(random)}.`;
    this.token = this.tokenOf(ITSELF);
  }

  tokenOf(user: UserInfo): string {
    // an object of its own: one that the host shares with its authenticator would be every right to others
    const number = this.#users.push(user === ITSELF ? user : { ...user }) - 1;
    return this.#header.slice('Bearer '.length) + number;
  }

  authenticator(next: Authenticator): Authenticator {
    return {
      authenticate: (request) => {
        const user = this.#userOf(request.headers.get('authorization'));
        return user ? { outcome: 'authenticated', user } : next.authenticate(request);
      },
      ...(next.authenticateToken && { authenticateToken: next.authenticateToken.bind(next) }),
    };
  }

  #userOf(line: string | undefined): UserInfo | undefined {
    const { length } = this.#header;
    // the length of the tokens is not secret
    if (line === undefined || line.length <= length) return undefined;
    if (!equalInConstantTime(this.#header, line.slice(0, length))) return undefined;
    return this.#users[Number(line.slice(length))];
  }

  authorizer(next: Authorizer): Authorizer {
    const own = this.#users;
    return {
      authorize: (attributes, signal) =>
        own.includes(attributes.user) ? { decision: 'allow' } : next.authorize(attributes, signal),
      rules: (user, namespace) => rulesOf([next], user, namespace),
    };
  }
}
