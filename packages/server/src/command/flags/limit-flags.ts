import { defaultInFlightLimits } from '@ashlar/http';
import { LIMITS } from './flag-groups.ts';
import { duration, integer, toggle } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** Flags that limit concurrent requests and durations. Durations are in milliseconds. */
export interface LimitFlags {
  readonly 'max-requests-inflight'?: number;
  readonly 'max-mutating-requests-inflight'?: number;
  readonly 'enable-priority-and-fairness'?: boolean;
  readonly 'max-requests-inflight-per-user'?: number;
  readonly 'max-mutating-requests-inflight-per-user'?: number;
  readonly 'request-timeout'?: number;
  readonly 'min-request-timeout'?: number;
  readonly 'livez-grace-period'?: number;
  readonly 'shutdown-delay-duration'?: number;
  readonly 'shutdown-send-retry-after'?: boolean;
  readonly 'shutdown-grace-period'?: number;
  readonly 'event-loop-watchdog'?: boolean;
}

export const limitFlags: FlagTableOf<LimitFlags> = {
  'max-requests-inflight': integer(
    LIMITS,
    'N',
    `maximum number of non-mutating requests in flight; 0 for no limit (default ${defaultInFlightLimits.readOnly})`,
    1_000_000,
  ),
  'max-mutating-requests-inflight': integer(
    LIMITS,
    'N',
    `maximum number of mutating requests in flight; 0 for no limit (default ${defaultInFlightLimits.mutating})`,
    1_000_000,
  ),
  'enable-priority-and-fairness': toggle(
    LIMITS,
    'give requests seats and turns by flow schemas and priority levels, where callers are authenticated; the two limits together are the seats, unless both are 0. Otherwise each limits its requests (default true)',
  ),
  'max-requests-inflight-per-user': integer(
    LIMITS,
    'N',
    'without priority and fairness: maximum for each user, all anonymous requests together; 0 for no limit (default half of the total, at least 20)',
    1_000_000,
  ),
  'max-mutating-requests-inflight-per-user': integer(
    LIMITS,
    'N',
    'the same for mutating requests; 0 for no limit (default half of the total, at least 20)',
    1_000_000,
  ),
  'request-timeout': duration(LIMITS, 'maximum duration of a request other than a watch (default 1m)'),
  'min-request-timeout': integer(
    LIMITS,
    'SECONDS',
    'watches without a time of their own end after a random time between this and twice as long (default 1800)',
    1_000_000,
  ),
  'livez-grace-period': duration(
    LIMITS,
    'how long the server may take to start before livez fails (default 0s)',
  ),
  'shutdown-delay-duration': duration(
    LIMITS,
    'how long to continue serving after a signal, while readyz fails (default 0s)',
  ),
  'shutdown-send-retry-after': toggle(
    LIMITS,
    'after that delay, refer requests to other servers by 429 until those in flight are answered (default false)',
  ),
  'shutdown-grace-period': duration(
    LIMITS,
    'maximum duration of the shutdown after that delay, and of a blocked event loop, before the process is killed (default 20s)',
  ),
  'event-loop-watchdog': toggle(
    LIMITS,
    'report the last requests when the event loop is blocked, and enforce --shutdown-grace-period (default true)',
  ),
};
