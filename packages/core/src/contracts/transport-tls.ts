/** PEM texts. */
export interface TransportTls {
  readonly certificateAuthorities?: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly serverName?: string;
  readonly insecure?: boolean;
}
