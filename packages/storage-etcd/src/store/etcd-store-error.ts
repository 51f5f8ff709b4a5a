import { CodedError } from '@ashlar/core';

/** What keeps a store from being opened. */
export type EtcdStoreFault =
  /** No endpoint answers, or none of those that answer has a leader. */
  | 'unreachable'
  /** The certificate of the server is not trusted or is another's, ours is not taken, or the server speaks no TLS. */
  | 'tls'
  /** The user or the password is wrong. */
  | 'credentials'
  /** The endpoints belong to different clusters. */
  | 'foreign-cluster'
  /** The server is too old, or no etcd. */
  | 'unsupported';

/** An etcd that cannot be used: one sentence for whoever runs the server. */
export class EtcdStoreError extends CodedError {
  static override readonly code: string = 'ERR_ETCD_STORE';
  override readonly name: string = 'EtcdStoreError';
  readonly fault: EtcdStoreFault;

  constructor(fault: EtcdStoreFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.fault = fault;
  }
}
