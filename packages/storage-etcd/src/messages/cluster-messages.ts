import { type ResponseHeader, responseHeader } from './key-value-messages.ts';
import {
  boolean,
  defineMessage,
  identifier,
  integer,
  type MessageType,
  message,
  text,
  texts,
} from './protobuf-message.ts';

export interface LeaseGrantRequest {
  readonly seconds: number;
}

export const leaseGrantRequest: MessageType<LeaseGrantRequest> = defineMessage<LeaseGrantRequest>(
  'LeaseGrantRequest',
  { seconds: integer(1) },
);

/** A granted lease; etcd may grant a longer one than requested. */
export interface LeaseGrantResponse {
  readonly lease: bigint;
  readonly seconds: number;
}

export const leaseGrantResponse: MessageType<LeaseGrantResponse> = defineMessage<LeaseGrantResponse>(
  'LeaseGrantResponse',
  { lease: identifier(2), seconds: integer(3) },
);

export interface AuthenticateRequest {
  readonly user: string;
  readonly password: string;
}

export const authenticateRequest: MessageType<AuthenticateRequest> = defineMessage<AuthenticateRequest>(
  'AuthenticateRequest',
  { user: text(1), password: text(2) },
);

export interface AuthenticateResponse {
  readonly token: string;
}

export const authenticateResponse: MessageType<AuthenticateResponse> = defineMessage<AuthenticateResponse>(
  'AuthenticateResponse',
  { token: text(2) },
);

export const statusRequest: MessageType<object> = defineMessage<object>('StatusRequest', {});

/** Status of a member of the cluster. */
export interface MemberStatus {
  readonly header?: ResponseHeader;
  readonly version: string;
  /** Size of its database on disk in bytes. */
  readonly databaseBytes: number;
  /** 0n without a leader. */
  readonly leader: bigint;
  /** Bytes of it that are in use. */
  readonly databaseBytesInUse: number;
  /** Errors of the cluster, in its words: its database may be full, or damaged. */
  readonly errors: readonly string[];
  /** It replicates without a vote, and serves no requests. */
  readonly learner: boolean;
}

export const memberStatus: MessageType<MemberStatus> = defineMessage<MemberStatus>('StatusResponse', {
  header: message(1, responseHeader),
  version: text(2),
  databaseBytes: integer(3),
  leader: identifier(4),
  errors: texts(8),
  databaseBytesInUse: integer(9),
  learner: boolean(10),
});
