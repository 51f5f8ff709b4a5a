import { Metrics, orchVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { Auditor } from './auditor.ts';
import type { AuditMode, TruncateOptions } from './backends/audit-backend.ts';
import { READ } from './events/event.fixture.ts';

const broken = {
  name: 'log',
  send() {
    throw new Error('no space');
  },
};
const policy = { rules: [{ level: 'Metadata' as const }] };

function auditorOf(mode: AuditMode, truncate?: TruncateOptions) {
  const metrics = new Metrics();
  const clock = createSteppedClock();
  const errors: string[] = [];
  const auditor = new Auditor({
    ...{ policy, metrics, ambient: { clock, vocabulary: orchVocabulary } },
    backends: [{ sink: broken, mode, ...(truncate && { truncate }) }],
    onError: ({ message }) => errors.push(message),
  });
  const counted = (name: string) =>
    new RegExp(`^apiserver_audit_${name} (\\d+)$`, 'm').exec(metrics.text())?.[1];
  return { auditor, clock, errors, counted };
}

describe('an auditor', () => {
  it.each([
    ['blocking', true],
    ['blocking-strict', false],
    ['batch', true],
  ] as const)(
    'in the mode %s says that an event that is not stored is in order: %s',
    async (mode, stored) => {
      const { auditor, errors, counted } = auditorOf(mode);
      expect(await auditor.record(READ)).toBe(stored);
      await auditor.flush();
      expect(errors).toEqual(['an audit event is lost (log): no space']);
      expect([counted('event_total'), counted('error_total\\{plugin="log"\\}')]).toEqual(['1', '1']);
    },
  );

  it('says no more often than every ten seconds that events are lost', async () => {
    const { auditor, clock, errors, counted } = auditorOf('blocking');
    for (let count = 0; count < 3; count++) auditor.record(READ);
    expect(errors).toHaveLength(1);
    clock.advance(10_000);
    auditor.record(READ);
    expect(errors[1]).toBe('3 audit events are lost (log): no space');
    expect(counted('error_total\\{plugin="log"\\}')).toBe('4');
  });

  it('counts events that cannot be cut', () => {
    const { auditor, errors, counted } = auditorOf('blocking-strict', { maximumEventBytes: 10 });
    expect(auditor.record(READ)).toBe(true);
    expect(errors).toEqual(['an audit event is lost (truncate): the event is too large without its objects']);
    expect(counted('error_total\\{plugin="truncate"\\}')).toBe('1');
  });

  it('counts requests by level, and those that were refused', () => {
    const { auditor, counted } = auditorOf('blocking');
    auditor.decide({
      user: { name: '', groups: [] },
      ...{ verb: 'get', isResourceRequest: false, path: '/' },
      ...{ apiGroup: '', resource: '', subresource: '', namespace: '', name: '' },
    });
    auditor.rejected();
    expect(counted('level_total\\{level="Metadata"\\}')).toBe('1');
    expect(counted('requests_rejected_total')).toBe('1');
  });

  it.each(['batch', 'blocking', 'blocking-strict'] as const)(
    'in the mode %s waits for what is under way, and says what is lost if that does not end',
    async (mode) => {
      const clock = createSteppedClock();
      const errors: string[] = [];
      const held: (() => void)[] = [];
      const sink = { name: 'webhook', send: () => new Promise<void>((resolve) => held.push(resolve)) };
      const auditor = new Auditor({
        ...{ policy, ambient: { clock, vocabulary: orchVocabulary }, onError: (e) => errors.push(e.message) },
        backends: [{ sink, mode, batch: { maximumSize: 1 } }],
      });
      const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
      let flushes = 0;
      const flush = (): Promise<void> => auditor.flush().then(() => void flushes++);

      auditor.record(READ);
      const stored = flush();
      await turn();
      expect(flushes).toBe(0);
      held[0]?.();
      await stored;
      expect(errors).toEqual([]);

      for (let count = 0; count < 20; count++) auditor.record(READ);
      const lost = flush();
      await turn();
      clock.advance(10_000);
      await lost;
      expect(errors).toEqual([
        'an audit event is lost (webhook): it was not stored before the end',
        '19 audit events are lost (webhook): it was not stored before the end',
      ]);
      auditor.record(READ);
      expect(held.length).toBe(mode === 'batch' ? 18 : 22);
    },
  );

  it('keeps the process alive while it waits', async () => {
    const clock = createSteppedClock();
    let holds = 0;
    const setTimer: typeof clock.setTimer = (milliseconds, call) => {
      const timer = clock.setTimer(milliseconds, call);
      return { clear: () => timer.clear(), hold: () => void holds++ };
    };
    const auditor = new Auditor({
      ...{ policy, ambient: { clock: { ...clock, setTimer }, vocabulary: orchVocabulary } },
      backends: [{ sink: broken, mode: 'batch' }],
      onError: () => {},
    });
    await auditor.flush();
    expect(holds).toBe(1);
  });

  it.each([
    ['blocking', true],
    ['blocking-strict', false],
  ] as const)('in the mode %s holds no more bytes than a queue', async (mode, isInOrder) => {
    const errors: string[] = [];
    const sink = { name: 'webhook', send: () => new Promise<void>(() => {}) };
    const auditor = new Auditor({
      ...{ policy, ambient: { clock: createSteppedClock(), vocabulary: orchVocabulary } },
      backends: [{ sink, mode, batch: { bufferBytes: 10 } }],
      onError: ({ message }) => errors.push(message),
    });
    // one that is larger is stored where nothing else is under way
    expect(auditor.record(READ)).toBeInstanceOf(Promise);
    expect(auditor.record(READ)).toBe(isInOrder);
    expect(errors).toEqual(['an audit event is lost (buffered): the buffer of events is full']);
  });

  it('counts events that cannot be made, which only a strict backend takes amiss', () => {
    for (const [mode, isInOrder] of [
      ['blocking', true],
      ['blocking-strict', false],
    ] as const) {
      const { auditor, counted } = auditorOf(mode);
      expect(auditor.failed()).toBe(isInOrder);
      auditor.incomplete();
      const errors = ['event', 'objects'].map((plugin) => counted(`error_total\\{plugin="${plugin}"\\}`));
      expect(errors).toEqual(['1', '1']);
    }
  });

  it('says how much of objects is stored', () => {
    const limits = [undefined, {}, { maximumEventBytes: 10 }];
    expect(limits.map((limit) => auditorOf('batch', limit).auditor.maximumObjectBytes)).toEqual([
      Number.POSITIVE_INFINITY,
      102_400,
      10,
    ]);
  });
});
