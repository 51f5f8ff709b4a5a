/** Certificates and token of a server without flags for them: generated on the first start, and stored. */
export interface ServerIdentity {
  readonly certificate: string;
  readonly key: string;
  readonly certificateAuthority: string;
  /** Bearer token of the administrator. */
  readonly token: string;
}
