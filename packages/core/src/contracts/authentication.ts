import type { ServerRequest } from './exchange.ts';

/** Who a request is (semantics/access). */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Result of an authenticator. A union continues after "rejected"; authenticators do not throw. */
export type Authentication =
  | { readonly outcome: 'authenticated'; readonly user: UserInfo; readonly audiences?: readonly string[] }
  | { readonly outcome: 'none' }
  | { readonly outcome: 'rejected'; readonly error: Error };

/** Tells who sent a request. */
export interface Authenticator {
  authenticate(request: ServerRequest): Authentication | Promise<Authentication>;
  /**
   * Whose a token is, and for which of some audiences: what a token review asks. Absent if no tokens are known.
   * @param audiences of which the token must name one; without them those of the server
   */
  authenticateToken?(token: string, audiences?: readonly string[]): Authentication | Promise<Authentication>;
}
