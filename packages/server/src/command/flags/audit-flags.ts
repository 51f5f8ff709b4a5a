import type { AuditMode } from '@ashlar/audit';
import { AUDIT } from './flag-groups.ts';
import { duration, integer, text, toggle } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';

type Sink = 'log' | 'webhook';

/** Flags that the log and the webhook have alike. Durations are in milliseconds. */
type SinkFlags<S extends Sink> = {
  readonly [K in `audit-${S}-mode`]?: AuditMode;
} & {
  readonly [K in `audit-${S}-version`]?: string;
} & {
  readonly [K in `audit-${S}-truncate-enabled` | `audit-${S}-batch-throttle-enable`]?: boolean;
} & {
  readonly [K in
    | `audit-${S}-truncate-max-event-size`
    | `audit-${S}-truncate-max-batch-size`
    | `audit-${S}-batch-buffer-size`
    | `audit-${S}-batch-max-size`
    | `audit-${S}-batch-max-wait`
    | `audit-${S}-batch-throttle-qps`
    | `audit-${S}-batch-throttle-burst`]?: number;
};

/** Flags of auditing. Durations are in milliseconds. */
export interface AuditFlags extends SinkFlags<'log'>, SinkFlags<'webhook'> {
  readonly 'audit-policy-file'?: string;
  readonly 'audit-log-path'?: string;
  readonly 'audit-log-format'?: 'json' | 'legacy';
  readonly 'audit-log-maxage'?: number;
  readonly 'audit-log-maxbackup'?: number;
  readonly 'audit-log-maxsize'?: number;
  readonly 'audit-webhook-config-file'?: string;
  readonly 'audit-webhook-initial-backoff'?: number;
}

/** A flag whose value is one of a few words. */
function word<T extends string>(meaning: string, choices: readonly T[]): Flag<T> {
  return {
    ...{ group: AUDIT, value: choices.join('|'), meaning },
    parse(argument) {
      const choice = choices.find((each) => each === argument);
      if (choice === undefined) throw new Error(`${argument} is none of ${choices.join(', ')}`);
      return choice;
    },
  };
}

const MODES: readonly AuditMode[] = ['batch', 'blocking', 'blocking-strict'];
const amount = (meaning: string, minimum = 1): Flag<number> =>
  integer(AUDIT, 'N', meaning, 1_000_000_000, minimum);

/** @param defaults what help says of the flags that differ */
function sinkFlags<S extends Sink>(
  sink: S,
  defaults: { readonly mode: AuditMode; readonly size: number; readonly throttled: string },
): FlagTableOf<SinkFlags<S>> {
  const named = {
    mode: word(
      `who waits until its events are stored: nobody, the request, or one that is refused if that fails (default ${defaults.mode})`,
      MODES,
    ),
    version: text(AUDIT, 'VERSION', 'API version of its events: v1 of the audit group'),
    'truncate-enabled': toggle(AUDIT, 'leave objects out of events that are too large (default false)'),
    'truncate-max-event-size': amount('bytes of an event above which that is done (default 102400)'),
    'truncate-max-batch-size': amount('bytes of one list of events at most, then (default 10485760)'),
    'batch-buffer-size': amount('events that may wait; further ones are lost (default 10000)'),
    'batch-max-size': amount(`events of one list at most (default ${defaults.size})`),
    'batch-max-wait': duration(AUDIT, 'how long an event waits for others (default 30s)'),
    'batch-throttle-enable': toggle(AUDIT, `limit how often lists are sent (default ${defaults.throttled})`),
    'batch-throttle-qps': amount('lists per second, then (default 10)'),
    'batch-throttle-burst': amount('lists at once, then (default 15)'),
  };
  const entries = Object.entries(named).map(([name, flag]) => [`audit-${sink}-${name}`, flag]);
  return Object.fromEntries(entries) as FlagTableOf<SinkFlags<S>>;
}

export const auditFlags: FlagTableOf<AuditFlags> = {
  'audit-policy-file': text(AUDIT, 'FILE', 'audit policy: which requests are recorded, and how much of them'),
  'audit-log-path': text(
    AUDIT,
    'FILE',
    'file to which events are written, a line each; - for standard output',
  ),
  'audit-log-format': word('format of these lines (default json)', ['json', 'legacy']),
  'audit-log-maxage': amount(
    'days after which files that were put aside are removed; 0 for never (default 0)',
    0,
  ),
  'audit-log-maxbackup': amount('files that were put aside and are kept; 0 for all (default 0)', 0),
  'audit-log-maxsize': amount('megabytes of the file at which it is put aside; 0 for 100 (default 100)', 0),
  ...sinkFlags('log', { mode: 'blocking', size: 1, throttled: 'false' }),
  'audit-webhook-config-file': text(AUDIT, 'FILE', 'kubeconfig of the webhook to which events are posted'),
  'audit-webhook-initial-backoff': duration(AUDIT, 'pause before the first retry (default 10s)'),
  ...sinkFlags('webhook', { mode: 'batch', size: 400, throttled: 'true' }),
};
