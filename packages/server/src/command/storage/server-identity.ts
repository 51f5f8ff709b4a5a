/** What a server needs that was given none of it: made on the first start, kept for the next. */
export interface ServerIdentity {
  readonly certificate: string;
  readonly key: string;
  readonly certificateAuthority: string;
  /** Bearer token of the administrator. */
  readonly token: string;
}
