/** The credentials of a request. They must not appear in errors or logs. */
export interface Credentials {
  /** Value of the header. */
  readonly authorization?: string;
  /** PEM; intermediates may follow the client certificate. */
  readonly certificate?: string;
  /** PEM; present with a certificate. */
  readonly key?: string;
}

/** A source of credentials. It caches them, and notifies transports when a certificate is replaced. */
export interface CredentialSource {
  /** Returns the current credentials; called before every request. @throws Error if there are none */
  current(): Credentials | Promise<Credentials>;
  /** Called when a server has rejected credentials with 401, so that they are no longer cached. */
  reject(credentials: Credentials): void;
}

export function sameCredentials(one: Credentials, other: Credentials): boolean {
  return one.authorization === other.authorization && sameCertificate(one, other);
}

export function sameCertificate(one: Credentials, other: Credentials): boolean {
  return one.certificate === other.certificate && one.key === other.key;
}

/**
 * A bearer token as a header value (RFC 6750, section 2.1).
 * @throws Error if it is not valid in a header; the message does not contain the token
 */
export function bearerAuthorization(token: string): string {
  if (!/^[\x20-\x7e]+$/.test(token)) throw new Error('the token has characters that no header can carry');
  return `Bearer ${token}`;
}
