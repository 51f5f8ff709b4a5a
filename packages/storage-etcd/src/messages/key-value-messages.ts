import {
  boolean,
  bytes,
  defineMessage,
  identifier,
  integer,
  type MessageType,
  message,
  messages,
  text,
} from './protobuf-message.ts';

/** Header of every response. */
export interface ResponseHeader {
  readonly clusterId: bigint;
  /** Revision of the state of the response. */
  readonly revision: number;
}

export const responseHeader: MessageType<ResponseHeader> = defineMessage<ResponseHeader>('ResponseHeader', {
  clusterId: identifier(1),
  revision: integer(3),
});

/** A key with its value. Keys are UTF-8 here, since this engine writes no others. */
export interface KeyValue {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
  readonly value: Uint8Array;
}

export const keyValue: MessageType<KeyValue> = defineMessage<KeyValue>('KeyValue', {
  key: text(1),
  createRevision: integer(2),
  modRevision: integer(3),
  version: integer(4),
  value: bytes(5),
});

/** Keys from `key` up to and excluding `rangeEnd`; without that only `key`. */
export interface RangeRequest {
  readonly key: string;
  readonly rangeEnd?: string;
  readonly limit?: number;
  readonly revision?: number;
  readonly keysOnly?: boolean;
  readonly countOnly?: boolean;
}

export const rangeRequest: MessageType<RangeRequest> = defineMessage<RangeRequest>('RangeRequest', {
  key: text(1),
  rangeEnd: text(2),
  limit: integer(3),
  revision: integer(4),
  keysOnly: boolean(8),
  countOnly: boolean(9),
});

export interface RangeResponse {
  readonly header?: ResponseHeader;
  readonly kvs: readonly KeyValue[];
  /** Number of keys in the range, regardless of the limit. */
  readonly count: number;
}

export const rangeResponse: MessageType<RangeResponse> = defineMessage<RangeResponse>('RangeResponse', {
  header: message(1, responseHeader),
  kvs: messages(2, keyValue),
  count: integer(4),
});

export interface PutRequest {
  readonly key: string;
  readonly value: Uint8Array;
  readonly lease?: bigint;
}

export const putRequest: MessageType<PutRequest> = defineMessage<PutRequest>('PutRequest', {
  key: text(1),
  value: bytes(2),
  lease: identifier(3),
});

export interface PutResponse {
  readonly header?: ResponseHeader;
}

export const putResponse: MessageType<PutResponse> = defineMessage<PutResponse>('PutResponse', {
  header: message(1, responseHeader),
});

export interface DeleteRangeRequest {
  readonly key: string;
}

export const deleteRangeRequest: MessageType<DeleteRangeRequest> = defineMessage<DeleteRangeRequest>(
  'DeleteRangeRequest',
  { key: text(1) },
);

export interface DeleteRangeResponse {
  readonly header?: ResponseHeader;
  readonly deleted: number;
}

export const deleteRangeResponse: MessageType<DeleteRangeResponse> = defineMessage<DeleteRangeResponse>(
  'DeleteRangeResponse',
  { header: message(1, responseHeader), deleted: integer(2) },
);

/** One operation of a transaction: one of its members. */
export interface RequestOperation {
  readonly range?: RangeRequest;
  readonly put?: PutRequest;
  readonly deleteRange?: DeleteRangeRequest;
}

const requestOperation: MessageType<RequestOperation> = defineMessage<RequestOperation>('RequestOp', {
  range: message(1, rangeRequest),
  put: message(2, putRequest),
  deleteRange: message(3, deleteRangeRequest),
});

/** The result of one operation. */
interface ResponseOperation {
  readonly range?: RangeResponse;
  readonly put?: PutResponse;
  readonly deleteRange?: DeleteRangeResponse;
}

const responseOperation: MessageType<ResponseOperation> = defineMessage<ResponseOperation>('ResponseOp', {
  range: message(1, rangeResponse),
  put: message(2, putResponse),
  deleteRange: message(3, deleteRangeResponse),
});

/** A condition on one key: always equality here. */
interface Compare {
  /** 2: the revision of its newest value, 0 if it is absent. */
  readonly target: number;
  readonly key: string;
  readonly modRevision: number;
}

const compare: MessageType<Compare> = defineMessage<Compare>('Compare', {
  target: integer(2),
  key: text(3),
  modRevision: integer(6),
});

/** Runs `success` if all of `compare` holds, else `failure`. */
export interface TransactionRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly RequestOperation[];
  readonly failure: readonly RequestOperation[];
}

export const transactionRequest: MessageType<TransactionRequest> = defineMessage<TransactionRequest>(
  'TxnRequest',
  {
    compare: messages(1, compare),
    success: messages(2, requestOperation),
    failure: messages(3, requestOperation),
  },
);

export interface TransactionResponse {
  readonly header?: ResponseHeader;
  readonly succeeded: boolean;
  readonly responses: readonly ResponseOperation[];
}

export const transactionResponse: MessageType<TransactionResponse> = defineMessage<TransactionResponse>(
  'TxnResponse',
  { header: message(1, responseHeader), succeeded: boolean(2), responses: messages(3, responseOperation) },
);

export interface CompactionRequest {
  readonly revision: number;
}

export const compactionRequest: MessageType<CompactionRequest> = defineMessage<CompactionRequest>(
  'CompactionRequest',
  { revision: integer(1) },
);

export interface CompactionResponse {
  readonly header?: ResponseHeader;
}

export const compactionResponse: MessageType<CompactionResponse> = defineMessage<CompactionResponse>(
  'CompactionResponse',
  { header: message(1, responseHeader) },
);
