import { Metrics, orchVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import {
  admitted,
  atOnce,
  controlOf,
  levelOf,
  mandatory,
  patient,
  queued,
  requestOf,
  schemaOf,
  userOf,
} from './flow-control.fixture.ts';
import { FlowControl } from './flow-control.ts';

const [anna, bert] = [userOf('anna'), userOf('bert')];

describe('a level that rejects', () => {
  const limited = { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } };

  it('admits as many requests as it has seats, and others when these are answered', () => {
    const { control } = controlOf(2, limited);
    const first = admitted(control.begin(anna, requestOf(), patient()));
    admitted(control.begin(anna, requestOf(), patient()));
    expect(atOnce(control.begin(bert, requestOf(), patient()))).toMatchObject({
      outcome: 'rejected',
      reason: 'concurrency-limit',
      retryAfterSeconds: 1,
    });
    first.release();
    first.release();
    admitted(control.begin(bert, requestOf(), patient()));
    expect(atOnce(control.begin(bert, requestOf(), patient())).outcome).toBe('rejected');
  });

  it('runs a request alone that is wider than it is', () => {
    const { control } = controlOf(2, limited);
    const wide = admitted(control.begin(anna, requestOf(), patient(), () => ({ seats: 5 })));
    expect(atOnce(control.begin(anna, requestOf(), patient())).outcome).toBe('rejected');
    wide.release();
    admitted(control.begin(anna, requestOf(), patient()));
  });

  it('keeps the seats of events for their time', () => {
    const { control, clock } = controlOf(3, limited);
    const work = { seats: 1, finalSeats: 3, finalMilliseconds: 20 };
    admitted(control.begin(anna, requestOf(), patient(), () => work)).release();
    expect(atOnce(control.begin(anna, requestOf(), patient())).outcome).toBe('rejected');
    clock.advance(20);
    admitted(control.begin(anna, requestOf(), patient()));
  });
});

describe('a level with queues', () => {
  it('begins waiting requests in order of arrival', async () => {
    const { control } = controlOf(1, queued(1, { queues: 1, handSize: 1 }));
    const first = admitted(control.begin(anna, requestOf(), patient()));
    const begun: string[] = [];
    const wait = async (name: string): Promise<void> => {
      const ticket = await control.begin(userOf(name), requestOf(), patient());
      begun.push(name);
      if (ticket.outcome === 'admitted') ticket.release();
    };
    const waiting = [wait('b'), wait('c'), wait('d')];
    expect(begun).toEqual([]);
    first.release();
    await Promise.all(waiting);
    expect(begun).toEqual(['b', 'c', 'd']);
  });

  it('rejects what a full queue has no place for', () => {
    const { control } = controlOf(1, queued(1, { queues: 1, handSize: 1, queueLengthLimit: 1 }));
    admitted(control.begin(anna, requestOf(), patient()));
    void control.begin(bert, requestOf(), patient());
    expect(atOnce(control.begin(bert, requestOf(), patient()))).toMatchObject({ reason: 'queue-full' });
  });

  it('rejects a request that has waited too long, and lets those behind it through', async () => {
    const { control, clock } = controlOf(1, queued(1, { queues: 1, handSize: 1 }));
    const first = admitted(control.begin(anna, requestOf(), patient()));
    const short = control.begin(anna, requestOf(), { ...patient(), longestWait: 1_000 });
    const long = control.begin(anna, requestOf(), patient());
    clock.advance(1_000);
    expect(await short).toMatchObject({ outcome: 'rejected', reason: 'time-out' });
    first.release();
    expect((await long).outcome).toBe('admitted');
  });

  it('forgets a request whose caller has gone', async () => {
    const { control } = controlOf(1, queued(1));
    const first = admitted(control.begin(anna, requestOf(), patient()));
    const connection = new AbortController();
    const gone = control.begin(anna, requestOf(), { longestWait: 15_000, signal: connection.signal });
    connection.abort();
    expect(await gone).toMatchObject({ reason: 'time-out' });
    first.release();
    expect(control.levels.find(({ name }) => name === 'level')).toMatchObject({
      isIdle: true,
      counts: { seats: 0 },
    });
  });

  it('serves the flow first that has used less', async () => {
    const { control, clock } = controlOf(1, queued(1, { queues: 5_000, handSize: 1 }));
    const long = admitted(control.begin(anna, requestOf(), patient()));
    const begun: string[] = [];
    const wait = async (name: string): Promise<void> => {
      const ticket = await control.begin(userOf(name), requestOf(), patient());
      begun.push(name);
      clock.advance(10);
      if (ticket.outcome === 'admitted') ticket.release();
    };
    const waiting = ['anna', 'anna', 'bert', 'bert'].map(wait);
    clock.advance(5_000);
    long.release();
    await Promise.all(waiting);
    expect(begun).toEqual(['bert', 'bert', 'anna', 'anna']);
  });

  it('leaves half of a large level to other flows', async () => {
    const { control } = controlOf(60, queued(1));
    const taken = Array.from({ length: 30 }, () => admitted(control.begin(anna, requestOf(), patient())));
    const next = control.begin(anna, requestOf(), patient());
    expect(next).toBeInstanceOf(Promise);
    admitted(control.begin(bert, requestOf(), patient()));
    taken[0]?.release();
    expect((await next).outcome).toBe('admitted');
  });
});

describe('a flow beyond its half', () => {
  const limits = { queues: 1, handSize: 1, queueLengthLimit: 10 };
  const filled = () => {
    const started = controlOf(60, queued(1, limits));
    const taken = Array.from({ length: 30 }, () =>
      admitted(started.control.begin(anna, requestOf(), patient())),
    );
    return { ...started, taken };
  };

  it('has as many waiting requests as its queues could hold', () => {
    const { control } = filled();
    for (let i = 0; i < 10; i++) void control.begin(anna, requestOf(), patient());
    expect(atOnce(control.begin(anna, requestOf(), patient()))).toMatchObject({ reason: 'queue-full' });
  });

  it('does not delay others in the same queue', () => {
    const { control } = filled();
    void control.begin(anna, requestOf(), patient());
    admitted(control.begin(bert, requestOf(), patient()));
  });

  it('remains so when the same is configured again', () => {
    const { control } = filled();
    control.configure({ schemas: [schemaOf('all', 'level')], levels: [levelOf('level', queued(1, limits))] });
    expect(control.begin(anna, requestOf(), patient())).toBeInstanceOf(Promise);
  });

  it('may have what it frees, in order', async () => {
    const { control, taken } = filled();
    const begun: number[] = [];
    const waiting = [1, 2, 3].map(async (number) => {
      await control.begin(anna, requestOf(), patient());
      begun.push(number);
    });
    taken.slice(0, 3).forEach((ticket) => {
      ticket.release();
    });
    await Promise.all(waiting);
    expect(begun).toEqual([1, 2, 3]);
  });
});

describe('a level without seats', () => {
  it('runs one request after the other', async () => {
    const { control } = controlOf(5, { ...queued(0), borrowingLimitPercent: 0 });
    const waiting = ['a', 'b', 'c'].map(async (name) => {
      const ticket = await control.begin(userOf(name), requestOf(), patient());
      if (ticket.outcome === 'admitted') ticket.release();
      return ticket.outcome;
    });
    expect(await Promise.all(waiting)).toEqual(['admitted', 'admitted', 'admitted']);
  });
});

it('rejects what waits when it is closed', async () => {
  const { control, clock } = controlOf(1, queued(1));
  admitted(control.begin(anna, requestOf(), patient()));
  const waiting = control.begin(anna, requestOf(), patient());
  control[Symbol.dispose]();
  expect(await waiting).toMatchObject({ reason: 'time-out' });
  expect(clock.pending()).toEqual([]);
});

describe('an exempt level', () => {
  const exempt = { metadata: { name: 'level' }, spec: { type: 'Exempt' } };

  it('admits everything', () => {
    const { control } = controlOf(1, {});
    control.configure({ schemas: [schemaOf('all', 'level')], levels: [exempt] });
    for (let i = 0; i < 10; i++) admitted(control.begin(anna, requestOf(), patient()));
  });
});

describe('a configuration', () => {
  it('needs a class for what nothing else classifies', () => {
    const clock = createSteppedClock();
    const none = { schemas: [], levels: [] };
    expect(() => new FlowControl({ clock, vocabulary: orchVocabulary, seats: 1, mandatory: none })).toThrow(
      new TypeError('flow control needs the schema and the level catch-all'),
    );
  });

  it('shares all seats by shares, rounded up', () => {
    const { control } = controlOf(10, {});
    control.configure({
      schemas: [],
      levels: [
        levelOf('a', { nominalConcurrencyShares: 30, lendablePercent: 50, borrowingLimitPercent: 25 }),
        levelOf('b', { nominalConcurrencyShares: 15 }),
        levelOf('none', { nominalConcurrencyShares: 0 }),
      ],
    });
    const limits = Object.fromEntries(control.levels.map(({ name, limits }) => [name, limits]));
    expect(limits).toMatchObject({
      a: { nominal: 7, lower: 3, upper: 9 },
      b: { nominal: 4, lower: 4, upper: 14 },
      none: { nominal: 0, lower: 0, upper: 10 },
    });
  });

  it('keeps a level that is gone until its last request is answered', () => {
    const { control } = controlOf(2, queued(1));
    const last = admitted(control.begin(anna, requestOf(), patient()));
    const names = (): readonly string[] => control.levels.map(({ name }) => name);
    control.configure({ schemas: [], levels: [] });
    expect(control.levels.find(({ name }) => name === 'level')?.isQuiescing).toBe(true);
    expect(control.levels.find(({ name }) => name === 'level')?.limits.nominal).toBe(2);
    last.release();
    expect(names()).toEqual(['catch-all']);
  });

  it('forgets what it counted of schemas and levels that are gone', () => {
    const { control } = controlOf(2, queued(1));
    for (let i = 0; i < 10; i++) control.configure({ schemas: [schemaOf(`s${i}`, 'catch-all')], levels: [] });
    expect(control.counts.map(({ schema }) => schema)).toEqual(['catch-all', 's9']);
  });

  it('begins what waits when its level becomes exempt', async () => {
    const { control } = controlOf(1, queued(1));
    admitted(control.begin(anna, requestOf(), patient()));
    const waiting = control.begin(anna, requestOf(), patient());
    const exempt = { metadata: { name: 'level' }, spec: { type: 'Exempt' } };
    control.configure({ schemas: [schemaOf('all', 'level')], levels: [exempt] });
    expect((await waiting).outcome).toBe('admitted');
  });

  it.each([0, -1, 1.5, Number.POSITIVE_INFINITY, Number.NaN])('has no %s seats', (seats) => {
    expect(() => controlOf(seats, {})).toThrow(new TypeError(`flow control needs seats, not ${seats}`));
  });

  it('names schema and level in headers once both are stored', () => {
    const { control } = controlOf(2, queued(1));
    expect(admitted(control.begin(anna, requestOf(), patient())).flowClass.headers).toEqual({
      'x-orch-pf-flowschema-uid': 'schema-all',
      'x-orch-pf-prioritylevel-uid': 'level-level',
    });
    control.configure({
      schemas: [{ ...schemaOf('all', 'level'), metadata: { name: 'all' } }],
      levels: [levelOf('level', queued(1))],
    });
    expect(admitted(control.begin(anna, requestOf(), patient())).flowClass.headers).toEqual({});
  });
});

it('lends seats of levels that do not use them', () => {
  const clock = createSteppedClock(1_000_000);
  const control = new FlowControl({ clock, vocabulary: orchVocabulary, seats: 20, mandatory });
  control.configure({
    schemas: [schemaOf('all', 'busy')],
    levels: [
      levelOf('busy', { ...queued(10), lendablePercent: 50 }),
      levelOf('idle', { ...queued(10), lendablePercent: 100 }),
    ],
  });
  const current = (): Record<string, number> =>
    Object.fromEntries(control.levels.map(({ name, current }) => [name, current]));
  expect(current()).toMatchObject({ busy: 8, idle: 5 });
  for (let i = 0; i < 12; i++) void control.begin(userOf(`u${i}`), requestOf(), patient());
  clock.advance(10_000);
  expect(current().busy).toBeGreaterThanOrEqual(12);
  expect(current().idle).toBeLessThan(8);
  control[Symbol.dispose]();
});

it('records what it does', async () => {
  const metrics = new Metrics();
  const { control, clock } = controlOf(1, queued(1, { queues: 1, handSize: 1, queueLengthLimit: 1 }), {
    metrics,
  });
  const first = admitted(control.begin(anna, requestOf(), patient()));
  const second = control.begin(anna, requestOf(), patient());
  await control.begin(anna, requestOf(), patient());
  const lines = (): readonly string[] =>
    metrics
      .text()
      .split('\n')
      .filter((line) => /^apiserver_flowcontrol.*"all"/.test(line));
  const labels = 'flow_schema="all",priority_level="level"';
  expect(lines()).toEqual(
    expect.arrayContaining([
      `apiserver_flowcontrol_dispatched_requests_total{${labels}} 1`,
      `apiserver_flowcontrol_rejected_requests_total{${labels},reason="queue-full"} 1`,
      `apiserver_flowcontrol_current_executing_requests{${labels}} 1`,
      `apiserver_flowcontrol_current_inqueue_requests{${labels}} 1`,
    ]),
  );
  clock.advance(3_000);
  first.release();
  await second;
  expect(lines()).toEqual(
    expect.arrayContaining([
      `apiserver_flowcontrol_request_wait_duration_seconds_sum{execute="true",${labels}} 3`,
      `apiserver_flowcontrol_request_execution_seconds_sum{${labels},type="regular"} 3`,
      `apiserver_flowcontrol_current_inqueue_requests{${labels}} 0`,
    ]),
  );
});
