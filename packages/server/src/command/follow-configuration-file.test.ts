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
  function follow(name: string, applied: () => MaybePromise<void> = () => {}) {
    const file = join(root, name);
    writeFileSync(file, 'one');
    const clock = createSteppedClock();
    const texts: string[] = [];
    const following = followConfigurationFile(file, {
      ...{ clock, metrics: new Metrics(), report: () => {}, subsystem: 'x', subject: 'x' },
      apply(text) {
        texts.push(text);
        return applied();
      },
    });
    return { file, clock, texts, [Symbol.dispose]: () => following[Symbol.dispose]() };
  }

  it('reads a file again when it changes, without waiting for the minute', async () => {
    using followed = follow('changed');
    await vi.waitFor(() => {
      // again and again: what is written before the first check of the file is not a change
      writeFileSync(followed.file, 'two');
      expect(followed.texts).toEqual(['two']);
    }, 110_000);
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
});
