/** How long a request has waited for others than the server itself: in queues, and for webhooks. */
export interface RequestWaits {
  waitedMilliseconds: number;
}
