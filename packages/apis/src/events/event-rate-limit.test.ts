import type { AdmissionRequest } from '@ashlar/admission';
import { fieldErrorText, StatusError } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { type EventLimit, eventLimitErrors } from './event-limits.ts';
import { createEventRateLimit } from './event-rate-limit.ts';

const kind = { group: '', version: 'v1', kind: 'Event' };

function limiting(...limits: readonly EventLimit[]) {
  const clock = createSteppedClock();
  const plugin = createEventRateLimit(limits, clock);
  /** Returns the message of the refusal. */
  const send = (changes: Partial<AdmissionRequest> = {}): string | undefined => {
    const request = {
      ...{ operation: 'CREATE', kind, namespace: 'n', user: { name: 'anna', groups: [] }, dryRun: false },
      ...{ object: { source: { component: 'c' }, involvedObject: { name: 'o' } } },
      ...changes,
    } as unknown as AdmissionRequest;
    try {
      if (plugin.handles(request)) plugin.validate?.(request);
      return undefined;
    } catch (error) {
      if (!StatusError.is(error, 'TooManyRequests')) throw error;
      return error.message;
    }
  };
  return { clock, send };
}

describe('events', () => {
  it('may come in a burst, then at the rate of the limit', () => {
    const { clock, send } = limiting({ type: 'Server', qps: 2, burst: 3 });
    const refusal = 'Too many requests: limit reached on type Server for key ';
    expect([send(), send(), send(), send()]).toEqual([undefined, undefined, undefined, refusal]);
    clock.advance(500);
    expect([send(), send()]).toEqual([undefined, refusal]);
    clock.advance(60_000);
    expect([send(), send(), send(), send()]).toEqual([undefined, undefined, undefined, refusal]);
  });

  it('are limited by namespace, by user, and by reporter and object', () => {
    const one = { qps: 1, burst: 1 };
    const { send } = limiting(
      { type: 'Namespace', ...one },
      { type: 'User', ...one },
      { type: 'SourceAndObject', ...one },
    );
    const other = {
      ...{ namespace: 'm', user: { name: 'ben', groups: [] } },
      object: { source: { component: 'c', host: 'h' }, involvedObject: { kind: 'K', name: 'o' } },
    } as unknown as Partial<AdmissionRequest>;
    expect([send(), send(other)]).toEqual([undefined, undefined]);
    expect(send()).toBe(
      'Too many requests: [limit reached on type Namespace for key n, limit reached on type User for key anna, limit reached on type SourceAndObject for key co]',
    );
    expect(send({ ...other, namespace: 'n' })).toContain('key chKo]');
  });

  it('of other groups, deletions and dry runs do not count', () => {
    const { send } = limiting({ type: 'Server', qps: 1, burst: 1 });
    expect(send({ dryRun: true })).toBeUndefined();
    expect(send({ operation: 'DELETE' })).toBeUndefined();
    expect(send({ kind: { ...kind, group: 'events.k8s.io' } })).toBeUndefined();
    expect(send()).toBeUndefined();
    expect(send({ operation: 'UPDATE' })).toContain('limit reached');
  });

  it('of namespaces that were forgotten begin anew', () => {
    const { send } = limiting({ type: 'Namespace', qps: 1, burst: 1, cacheSize: 2 });
    for (const namespace of ['a', 'b', 'c']) expect(send({ namespace })).toBeUndefined();
    expect(send({ namespace: 'b' })).toContain('for key b');
    expect(send({ namespace: 'a' })).toBeUndefined();
  });
});

describe('limits of events', () => {
  it('are checked', () => {
    const texts = eventLimitErrors([
      { type: 'Server', qps: 1, burst: 1, cacheSize: -1 },
      { type: 'Other' as EventLimit['type'], qps: 0, burst: -1, cacheSize: -1 },
    ]).map(fieldErrorText);
    expect(texts).toEqual([
      'limits[1].type: Unsupported value: "Other": supported values: "Namespace", "Server", "SourceAndObject", "User"',
      'limits[1].burst: Invalid value: -1: must be positive',
      'limits[1].qps: Invalid value: 0: must be positive',
      'limits[1].cacheSize: Invalid value: -1: must not be negative',
    ]);
    expect(eventLimitErrors([])).toHaveLength(1);
  });
});
