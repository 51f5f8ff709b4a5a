import { type KeyValue, keyValue, type ResponseHeader, responseHeader } from './key-value-messages.ts';
import {
  boolean,
  defineMessage,
  integer,
  type MessageType,
  message,
  messages,
  text,
} from './protobuf-message.ts';

/** Start and options of a watch. */
interface WatchCreateRequest {
  readonly key: string;
  readonly rangeEnd?: string;
  readonly startRevision: number;
  readonly progressNotify?: boolean;
  readonly previous: boolean;
  /** Large responses may be fragmented. */
  readonly fragment: boolean;
}

const watchCreateRequest: MessageType<WatchCreateRequest> = defineMessage<WatchCreateRequest>(
  'WatchCreateRequest',
  {
    key: text(1),
    rangeEnd: text(2),
    startRevision: integer(3),
    progressNotify: boolean(4),
    previous: boolean(6),
    fragment: boolean(8),
  },
);

const watchProgressRequest: MessageType<object> = defineMessage<object>('WatchProgressRequest', {});

/** A request on a stream of watches: one of the members. */
export interface WatchRequest {
  readonly create?: WatchCreateRequest;
  readonly progress?: object;
}

export const watchRequest: MessageType<WatchRequest> = defineMessage<WatchRequest>('WatchRequest', {
  create: message(1, watchCreateRequest),
  progress: message(3, watchProgressRequest),
});

/** A change: `type` 0 is a put, 1 a delete. */
export interface WatchedChange {
  readonly type: number;
  readonly current?: KeyValue;
  readonly previous?: KeyValue;
}

const watchedChange: MessageType<WatchedChange> = defineMessage<WatchedChange>('Event', {
  type: integer(1),
  current: message(2, keyValue),
  previous: message(3, keyValue),
});

/**
 * Without events, and neither `created` nor `canceled`, it is a progress notification for the header's
 * revision.
 */
export interface WatchResponse {
  readonly header?: ResponseHeader;
  readonly created: boolean;
  readonly canceled: boolean;
  /** Above 0 if the watch ends because its start has been compacted: the oldest remaining revision. */
  readonly compactRevision: number;
  readonly cancelReason: string;
  /** More fragments of the same response follow. */
  readonly fragment: boolean;
  readonly events: readonly WatchedChange[];
}

export const watchResponse: MessageType<WatchResponse> = defineMessage<WatchResponse>('WatchResponse', {
  header: message(1, responseHeader),
  created: boolean(3),
  canceled: boolean(4),
  compactRevision: integer(5),
  cancelReason: text(6),
  fragment: boolean(7),
  events: messages(11, watchedChange),
});
