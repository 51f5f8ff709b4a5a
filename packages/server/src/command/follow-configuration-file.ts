import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Clock, Metrics, Timer } from '@ashlar/core';

export interface FollowedFileOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly report: (text: string) => void;
  /** Second part of the names of the metrics, such as `authentication_config_controller`. */
  readonly subsystem: string;
  /** What the file holds, in words. */
  readonly subject: string;
  /** Takes a text that differs from the one before. @throws Error where it cannot be used, and nothing has changed */
  apply(text: string): void;
}

/** How often a file is looked at where nothing tells of a change. */
const INTERVAL_MILLISECONDS = 60_000;
/** How often its time is looked at. */
const GLANCE_MILLISECONDS = 1_000;

/**
 * Reads a file again when it changes, and every 60 seconds (semantics/access#jwt). A text that cannot be used leaves
 * things as they are, is told, and counts as a failure.
 */
export function followConfigurationFile(file: string, options: FollowedFileOptions): Disposable {
  const { clock, report, subject, apply } = options;
  const count = countsOf(options);
  let last = textOf(file);
  let timer: Timer;
  const reread = (): void => {
    const text = textOf(file);
    if (text === last) return;
    last = text;
    try {
      if (text === undefined) throw new Error(`${file} cannot be read`);
      apply(text);
      count('success');
      report(`ashlar: the ${subject} has been read again\n`);
    } catch (error) {
      count('failure');
      report(`ashlar: the ${subject} stays as it was: ${(error as Error).message}\n`);
    }
  };
  const wait = (): void => {
    timer = clock.setTimer(INTERVAL_MILLISECONDS, () => {
      reread();
      wait();
    });
  };
  watchFile(file, { interval: GLANCE_MILLISECONDS, persistent: false }, reread);
  wait();
  return {
    [Symbol.dispose]() {
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
    help: `How often the ${subject} was read again, by outcome.`,
  });
  const moments = new Map<Outcome, number>();
  metrics.gauge(
    {
      ...{ name: `${name}_last_timestamp_seconds`, labels },
      help: `When the ${subject} was last read again.`,
    },
    () => [...moments].map(([outcome, value]) => ({ labels: ['', outcome], value })),
  );
  return (outcome) => {
    total.add(['', outcome]);
    moments.set(outcome, clock.now() / 1000);
  };
}
