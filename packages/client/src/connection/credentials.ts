/** What a request shows of its caller. Nothing of it belongs into errors or logs. */
export interface Credentials {
  /** Value of the header. */
  readonly authorization?: string;
  /** PEM; intermediates may follow the caller's own. */
  readonly certificate?: string;
  /** PEM; there where the certificate is. */
  readonly key?: string;
}

/** Where credentials come from. It keeps them itself, and tells transports when a certificate is replaced. */
export interface CredentialSource {
  /** Those that hold now; asked before every request. @throws Error where there are none to be had */
  current(): Credentials | Promise<Credentials>;
  /** Told that a server has answered 401 to some: they are not to be kept any longer. */
  reject(credentials: Credentials): void;
}

export function sameCredentials(one: Credentials, other: Credentials): boolean {
  return one.authorization === other.authorization && sameCertificate(one, other);
}

export function sameCertificate(one: Credentials, other: Credentials): boolean {
  return one.certificate === other.certificate && one.key === other.key;
}

/**
 * A bearer token as the header has it (RFC 6750, section 2.1).
 * @throws Error where no header can carry it; the token is not told
 */
export function bearerAuthorization(token: string): string {
  if (!/^[\x20-\x7e]+$/.test(token)) throw new Error('the token has characters that no header can carry');
  return `Bearer ${token}`;
}
