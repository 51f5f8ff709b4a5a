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

  it('does not wait forever for a sink that does not answer', async () => {
    const clock = createSteppedClock();
    const auditor = new Auditor({
      ...{ policy, ambient: { clock, vocabulary: orchVocabulary } },
      backends: [{ sink: { name: 'webhook', send: () => new Promise(() => {}) }, mode: 'batch' }],
      onError: () => {},
    });
    auditor.record(READ);
    const flushed = auditor.flush();
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(10_000);
    await flushed;
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
