import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MaybePromise, Metrics } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { followConfigurationFile } from './follow-configuration-file.ts';

const root = mkdtempSync(join(tmpdir(), 'follow-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('followConfigurationFile', () => {
  function follow(name: string, applied: (signal: AbortSignal) => MaybePromise<void> = () => {}) {
    const reports: string[] = [];
    const file = join(root, name);
    writeFileSync(file, 'one');
    const clock = createSteppedClock();
    const texts: string[] = [];
    const following = followConfigurationFile(file, {
      ...{
        clock,
        metrics: new Metrics(),
        report: (text) => reports.push(text),
        subsystem: 'x',
        subject: 'x',
        text: 'one',
      },
      parse(text) {
        if (text.startsWith('invalid')) throw new Error('invalid');
        return text;
      },
      apply(text, signal) {
        texts.push(text);
        return applied(signal);
      },
    });
    return { file, clock, texts, reports, [Symbol.dispose]: () => following[Symbol.dispose]() };
  }

  it('reads a file again when it changes, without waiting for the minute', async () => {
    using followed = follow('changed');
    writeFileSync(followed.file, 'two');
    await vi.waitFor(() => expect(followed.texts).toEqual(['two']), 60_000);
  });

  it('reads it every minute, and applies only changes', () => {
    using followed = follow('read');
    followed.clock.advance(60_000);
    expect(followed.texts).toEqual([]);
    for (const text of ['two', 'three']) {
      writeFileSync(followed.file, text);
      followed.clock.advance(60_000);
    }
    expect(followed.texts).toEqual(['two', 'three']);
  });

  it('stops reading once it is closed', () => {
    const followed = follow('closed');
    followed[Symbol.dispose]();
    writeFileSync(followed.file, 'two');
    followed.clock.advance(120_000);
    expect([followed.texts, followed.clock.pending()]).toEqual([[], []]);
  });

  it('reads a change during an application once that has ended', async () => {
    const finish: (() => void)[] = [];
    using followed = follow('slow', () => new Promise<void>((resolve) => finish.push(resolve)));
    for (const text of ['two', 'three']) {
      writeFileSync(followed.file, text);
      followed.clock.advance(60_000);
    }
    expect(followed.texts).toEqual(['two']);
    finish[0]?.();
    await vi.waitFor(() => expect(followed.texts).toEqual(['two', 'three']), { timeout: 60_000 });
  });

  it('tries a text that could not be applied again every minute, and no more often', async () => {
    let isReachable = false;
    using followed = follow('unreachable', async () => {
      if (!isReachable) throw new Error('no issuer');
    });
    writeFileSync(followed.file, 'two');
    for (const attempts of [1, 2, 3]) {
      followed.clock.advance(60_000);
      await vi.waitFor(() => expect(followed.reports).toHaveLength(attempts), { timeout: 60_000 });
      expect(followed.texts).toHaveLength(attempts);
    }
    isReachable = true;
    followed.clock.advance(60_000);
    await vi.waitFor(() => expect(followed.reports.at(-1)).toBe('ashlar: the x was reloaded\n'), {
      timeout: 60_000,
    });
    followed.clock.advance(180_000);
    expect(followed.texts).toEqual(['two', 'two', 'two', 'two']);
    expect(followed.reports[0]).toBe('ashlar: the x was not reloaded: no issuer\n');
  });

  it('tries an invalid text once, until it changes', () => {
    using followed = follow('parsed');
    for (const text of ['invalid', 'invalid', 'one', 'invalid', 'two', 'invalid 2']) {
      writeFileSync(followed.file, text);
      followed.clock.advance(120_000);
    }
    expect(followed.texts).toEqual(['two']);
    const failure = 'ashlar: the x was not reloaded: invalid\n';
    expect(followed.reports).toEqual([failure, failure, 'ashlar: the x was reloaded\n', failure]);
  });

  it('tries a text that cannot be applied now again every minute', () => {
    using followed = follow('invalid', () => {
      throw new Error('invalid');
    });
    writeFileSync(followed.file, 'two');
    followed.clock.advance(180_000);
    expect([followed.texts.length, followed.reports.length]).toEqual([3, 3]);
    writeFileSync(followed.file, 'one');
    followed.clock.advance(180_000);
    expect(followed.texts).toHaveLength(3);
  });

  it('ends the application of a text for a newer one, which is no failure', async () => {
    let isReachable = false;
    const untilAborted = (signal: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        if (isReachable) resolve();
        else signal.addEventListener('abort', () => reject(signal.reason));
      });
    using followed = follow('newer', untilAborted);
    writeFileSync(followed.file, 'two');
    followed.clock.advance(60_000);
    isReachable = true;
    writeFileSync(followed.file, 'three');
    followed.clock.advance(60_000);
    await vi.waitFor(() => expect(followed.reports).toEqual(['ashlar: the x was reloaded\n']), {
      timeout: 60_000,
    });
    expect(followed.texts).toEqual(['two', 'three']);
  });

  it('ends an application when it is closed, without a report', async () => {
    let isEnded = false;
    const followed = follow('ending', (signal) =>
      new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))).finally(
        () => {
          isEnded = true;
        },
      ),
    );
    writeFileSync(followed.file, 'two');
    followed.clock.advance(60_000);
    followed[Symbol.dispose]();
    await vi.waitFor(() => expect(isEnded).toBe(true), { timeout: 60_000 });
    expect(followed.reports).toEqual([]);
  });
});
