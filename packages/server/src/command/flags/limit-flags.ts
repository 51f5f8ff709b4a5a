import { LIMITS } from './flag-groups.ts';
import { duration, integer, toggle } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** How much the server does at once, and how long it takes over it. Times are in milliseconds. */
export interface LimitFlags {
  readonly 'max-requests-inflight'?: number;
  readonly 'max-mutating-requests-inflight'?: number;
  readonly 'max-requests-inflight-per-user'?: number;
  readonly 'max-mutating-requests-inflight-per-user'?: number;
  readonly 'request-timeout'?: number;
  readonly 'livez-grace-period'?: number;
  readonly 'shutdown-delay-duration'?: number;
  readonly 'shutdown-grace-period'?: number;
  readonly 'event-loop-watchdog'?: boolean;
}

export const limitFlags: FlagTableOf<LimitFlags> = {
  'max-requests-inflight': integer(
    LIMITS,
    'N',
    'reading requests at once; 0 is no limit (default 400)',
    1_000_000,
  ),
  'max-mutating-requests-inflight': integer(
    LIMITS,
    'N',
    'writing requests at once; 0 is no limit (default 200)',
    1_000_000,
  ),
  'max-requests-inflight-per-user': integer(
    LIMITS,
    'N',
    'those of one user, anonymous callers together; 0 is no limit (default half of them, at least 20)',
    1_000_000,
  ),
  'max-mutating-requests-inflight-per-user': integer(
    LIMITS,
    'N',
    'the same of writing requests; 0 is no limit (default half of them, at least 20)',
    1_000_000,
  ),
  'request-timeout': duration(LIMITS, 'longest time of a request that is no watch (default 1m)'),
  'livez-grace-period': duration(
    LIMITS,
    'how long the start may take before livez fails for it (default 0s)',
  ),
  'shutdown-delay-duration': duration(
    LIMITS,
    'how long to go on serving after a signal, while readyz fails (default 0s)',
  ),
  'shutdown-grace-period': duration(
    LIMITS,
    'how long ending may take behind that; the process is ended then, as where its event loop is blocked so long (default 20s)',
  ),
  'event-loop-watchdog': toggle(
    LIMITS,
    'tell which requests came last when the event loop is blocked, and end the process as said above (default true)',
  ),
};
