import { CodedError } from '@ashlar/core';

/** Why a store cannot be opened. */
export type EtcdStoreFault =
  /** No endpoint responds, or none of the responding ones has a leader. */
  | 'unreachable'
  /**
   * The certificate of the server is not trusted or has another name, the client certificate is rejected, or
   * TLS is not enabled on the server.
   */
  | 'tls'
  /** The user or the password is wrong. */
  | 'credentials'
  /** The endpoints belong to different clusters. */
  | 'foreign-cluster'
  /** The server is too old, or not etcd. */
  | 'unsupported';

/** An etcd that cannot be used: one sentence for the operator of the server. */
export class EtcdStoreError extends CodedError {
  static override readonly code: string = 'ERR_ETCD_STORE';
  override readonly name: string = 'EtcdStoreError';
  readonly fault: EtcdStoreFault;

  constructor(fault: EtcdStoreFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.fault = fault;
  }
}
