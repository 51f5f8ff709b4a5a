import { readFileSync } from 'node:fs';
import type { Clock, MaybePromise, Metrics, Timer } from '@ashlar/core';
import { watchFiles } from './watch-files.ts';

export interface FollowedFileOptions<Parsed> {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly report: (text: string) => void;
  /** Subsystem in the names of the metrics, such as `authentication_config_controller`. */
  readonly subsystem: string;
  /** Name of the content of the file in messages. */
  readonly subject: string;
  /** The text with which the server started: what the file has at the first look may be newer. */
  readonly text: string;
  /** Whether the text with which the server started counts as the first success. */
  readonly countsStart?: boolean;
  /** Parses a changed text. @throws Error if it is invalid: it is not tried again, since it will never be valid */
  parse(text: string): Parsed;
  /**
   * Applies it. @throws Error if that is not possible now, also from the promise; nothing has changed then
   * @param signal ends the application, because there is a newer text: what can be awaited for long ends then, with any error
   */
  apply(parsed: Parsed, signal: AbortSignal): MaybePromise<void>;
}

/** Interval at which the file is read even if nothing tells that it has changed. */
const INTERVAL_MILLISECONDS = 60_000;
/** Interval at which a change of the file is looked for. */
const POLL_MILLISECONDS = 1_000;

/**
 * Reloads a file when it changes, and every 60 seconds (semantics/access#jwt). A text that cannot be applied keeps the current
 * configuration, is reported, counts as a failure, and is tried again every 60 seconds unless it is invalid. A newer text ends the
 * application of an older one, which is then no failure.
 */
export function followConfigurationFile<Parsed>(
  file: string,
  options: FollowedFileOptions<Parsed>,
): Disposable {
  const { clock, report, subject, parse, apply } = options;
  const count = countsOf(options);
  if (options.countsStart) count('success');
  /** The text in effect, and the one that was tried last. */
  let applied = options.text;
  let tried: string | undefined = applied;
  let invalid: string | undefined;
  let applying: AbortController | undefined;
  let timer: Timer;
  let isClosed = false;
  const succeeded = (text: string): void => {
    applied = text;
    count('success');
    report(`ashlar: the ${subject} was reloaded\n`);
  };
  const failed = (error: unknown): void => {
    count('failure');
    report(`ashlar: the ${subject} was not reloaded: ${(error as Error).message}\n`);
  };
  const attempt = (text: string | undefined): void => {
    tried = text;
    if (text === invalid && text !== undefined) return;
    invalid = undefined;
    if (text === applied) return;
    try {
      if (text === undefined) throw new Error(`${file} cannot be read`);
      invalid = text;
      const parsed = parse(text);
      invalid = undefined;
      const controller = new AbortController();
      const result = apply(parsed, controller.signal);
      if (!(result instanceof Promise)) succeeded(text);
      else void finished(text, result, controller);
    } catch (error) {
      failed(error);
    }
  };
  const finished = async (
    text: string,
    result: Promise<void>,
    controller: AbortController,
  ): Promise<void> => {
    applying = controller;
    try {
      await result;
      succeeded(text);
    } catch (error) {
      if (!controller.signal.aborted) failed(error);
    }
    applying = undefined;
    reread();
  };
  const reread = (): void => {
    if (isClosed) return;
    const text = textOf(file);
    if (text === tried) return;
    if (applying) applying.abort(new Error('the file has changed again'));
    else attempt(text);
  };
  const wait = (): void => {
    timer = clock.setTimer(INTERVAL_MILLISECONDS, () => {
      if (applying) reread();
      else attempt(textOf(file));
      wait();
    });
  };
  const watching = watchFiles([file], reread, POLL_MILLISECONDS);
  wait();
  return {
    [Symbol.dispose]() {
      isClosed = true;
      watching[Symbol.dispose]();
      timer.clear();
      applying?.abort(new Error('the server ends'));
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

function countsOf({
  metrics,
  subsystem,
  subject,
  clock,
}: Pick<FollowedFileOptions<never>, 'metrics' | 'subsystem' | 'subject' | 'clock'>): (
  outcome: Outcome,
) => void {
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
