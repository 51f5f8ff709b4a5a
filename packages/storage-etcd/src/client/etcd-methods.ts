import {
  type AuthenticateRequest,
  type AuthenticateResponse,
  authenticateRequest,
  authenticateResponse,
  type LeaseGrantRequest,
  type LeaseGrantResponse,
  leaseGrantRequest,
  leaseGrantResponse,
  type MemberStatus,
  memberStatus,
  statusRequest,
} from '../messages/cluster-messages.ts';
import {
  type CompactionRequest,
  type CompactionResponse,
  compactionRequest,
  compactionResponse,
  type DeleteRangeRequest,
  type DeleteRangeResponse,
  deleteRangeRequest,
  deleteRangeResponse,
  type PutRequest,
  type PutResponse,
  putRequest,
  putResponse,
  type RangeRequest,
  type RangeResponse,
  rangeRequest,
  rangeResponse,
  type TransactionRequest,
  type TransactionResponse,
  transactionRequest,
  transactionResponse,
} from '../messages/key-value-messages.ts';
import type { MessageType } from '../messages/protobuf-message.ts';

/** A remote procedure with one request and one response. */
export interface EtcdMethod<Q, A> {
  readonly path: string;
  readonly request: MessageType<Q>;
  readonly response: MessageType<A>;
  /** It is idempotent. */
  readonly repeatable: boolean;
}

export const rangeMethod: EtcdMethod<RangeRequest, RangeResponse> = {
  path: '/etcdserverpb.KV/Range',
  request: rangeRequest,
  response: rangeResponse,
  repeatable: true,
};

export const putMethod: EtcdMethod<PutRequest, PutResponse> = {
  path: '/etcdserverpb.KV/Put',
  request: putRequest,
  response: putResponse,
  repeatable: false,
};

export const deleteRangeMethod: EtcdMethod<DeleteRangeRequest, DeleteRangeResponse> = {
  path: '/etcdserverpb.KV/DeleteRange',
  request: deleteRangeRequest,
  response: deleteRangeResponse,
  repeatable: false,
};

export const transactionMethod: EtcdMethod<TransactionRequest, TransactionResponse> = {
  path: '/etcdserverpb.KV/Txn',
  request: transactionRequest,
  response: transactionResponse,
  repeatable: false,
};

export const compactMethod: EtcdMethod<CompactionRequest, CompactionResponse> = {
  path: '/etcdserverpb.KV/Compact',
  request: compactionRequest,
  response: compactionResponse,
  repeatable: true,
};

/** An unknown lease expires by itself. */
export const leaseGrantMethod: EtcdMethod<LeaseGrantRequest, LeaseGrantResponse> = {
  path: '/etcdserverpb.Lease/LeaseGrant',
  request: leaseGrantRequest,
  response: leaseGrantResponse,
  repeatable: true,
};

export const authenticateMethod: EtcdMethod<AuthenticateRequest, AuthenticateResponse> = {
  path: '/etcdserverpb.Auth/Authenticate',
  request: authenticateRequest,
  response: authenticateResponse,
  repeatable: true,
};

export const statusMethod: EtcdMethod<object, MemberStatus> = {
  path: '/etcdserverpb.Maintenance/Status',
  request: statusRequest,
  response: memberStatus,
  repeatable: true,
};

/** The stream of watches; its messages are in `watch-messages.ts`. */
export const WATCH_PATH = '/etcdserverpb.Watch/Watch';
