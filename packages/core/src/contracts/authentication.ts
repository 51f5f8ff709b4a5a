import type { ServerRequest } from './exchange.ts';

/** The identity of a caller (semantics/access). */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** An authenticated request. */
export interface Authenticated {
  readonly outcome: 'authenticated';
  readonly user: UserInfo;
  readonly audiences?: readonly string[];
  /** Warnings of the response, such as of a credential that should be replaced. */
  readonly warnings?: readonly string[];
  /** Audit annotations of the request. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Result of an authenticator. A union continues after "rejected"; authenticators do not throw. */
export type Authentication =
  | Authenticated
  | { readonly outcome: 'none' }
  | { readonly outcome: 'rejected'; readonly error: Error };

/** Identifies who sent a request. */
export interface Authenticator {
  authenticate(request: ServerRequest): Authentication | Promise<Authentication>;
  /**
   * Returns the user of a token and the audiences that it is valid for, as a token review asks. Absent if the
   * authenticator reads no tokens.
   * @param audiences one of which the token must name; default: those of the server
   */
  authenticateToken?(token: string, audiences?: readonly string[]): Authentication | Promise<Authentication>;
}
