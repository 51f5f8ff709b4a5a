import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Clock, MaybePromise, Metrics, Timer } from '@ashlar/core';

export interface FollowedFileOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly report: (text: string) => void;
  /** Subsystem in the names of the metrics, such as `authentication_config_controller`. */
  readonly subsystem: string;
  /** Name of the content of the file in messages. */
  readonly subject: string;
  /** Applies a changed text. @throws Error if it is invalid, also from the promise; nothing has changed then */
  apply(text: string): MaybePromise<void>;
}

/** Interval at which the file is read even if its modification time does not change. */
const INTERVAL_MILLISECONDS = 60_000;
/** Interval at which the modification time is checked. */
const POLL_MILLISECONDS = 1_000;

/**
 * Reloads a file when it changes, and every 60 seconds (semantics/access#jwt). An invalid text keeps the current configuration,
 * is reported, and counts as a failure.
 */
export function followConfigurationFile(file: string, options: FollowedFileOptions): Disposable {
  const { clock, report, subject, apply } = options;
  const count = countsOf(options);
  let last = textOf(file);
  let timer: Timer;
  /** While a text is being applied the file is not read. */
  let isApplying = false;
  let isClosed = false;
  const succeeded = (): void => {
    count('success');
    report(`ashlar: the ${subject} was reloaded\n`);
  };
  const failed = (error: unknown): void => {
    count('failure');
    report(`ashlar: the ${subject} was not reloaded: ${(error as Error).message}\n`);
  };
  const readOn = (): void => {
    isApplying = false;
    reread();
  };
  const reread = (): void => {
    if (isApplying || isClosed) return;
    const text = textOf(file);
    if (text === last) return;
    last = text;
    try {
      if (text === undefined) throw new Error(`${file} cannot be read`);
      const applying = apply(text);
      if (applying instanceof Promise) {
        isApplying = true;
        void applying.then(succeeded, failed).finally(readOn);
      } else {
        succeeded();
      }
    } catch (error) {
      failed(error);
    }
  };
  const wait = (): void => {
    timer = clock.setTimer(INTERVAL_MILLISECONDS, () => {
      reread();
      wait();
    });
  };
  watchFile(file, { interval: POLL_MILLISECONDS, persistent: false }, reread);
  wait();
  return {
    [Symbol.dispose]() {
      isClosed = true;
      unwatchFile(file, reread);
      timer.clear();
    },
  };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

type Outcome = 'success' | 'failure';

function countsOf({ metrics, subsystem, subject, clock }: FollowedFileOptions): (outcome: Outcome) => void {
  const labels = ['apiserver_id_hash', 'status'];
  const name = `apiserver_${subsystem}_automatic_reload`;
  const total = metrics.counter({
    ...{ name: `${name}s_total`, labels },
    help: `Number of automatic reloads of the ${subject}, by outcome.`,
  });
  const moments = new Map<Outcome, number>();
  metrics.gauge(
    {
      ...{ name: `${name}_last_timestamp_seconds`, labels },
      help: `Time of the last automatic reload of the ${subject}, by outcome.`,
    },
    () => [...moments].map(([outcome, value]) => ({ labels: ['', outcome], value })),
  );
  return (outcome) => {
    total.add(['', outcome]);
    moments.set(outcome, clock.now() / 1000);
  };
}
