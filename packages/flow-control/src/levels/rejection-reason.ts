/** Why a request was rejected; `time-out` also if its caller has gone. */
export type RejectionReason = 'concurrency-limit' | 'queue-full' | 'time-out';
