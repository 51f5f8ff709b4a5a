import { orchVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { parseRequestInfo } from '../request/request-info.ts';
import { CostlyRequests } from './costly-requests.ts';

const requestOf = (user: string, method = 'POST', url = '/api/v1/notes') => ({
  user: { name: user, groups: [] },
  info: parseRequestInfo(method, url),
});

/** @param share of the time in which the process has the processor */
function costlyRequests(share = 1) {
  const clock = createSteppedClock();
  let ends: (() => void)[] = [];
  let pauses = 0;
  let turn: Promise<void> | undefined;
  const turns = {
    requestBegan: () => {},
    pause: async () => {
      pauses++;
      await turn;
    },
    atEndOfTurn: (call: () => void) => void ends.push(call),
    processorTime: () => clock.monotonic() * share,
  };
  const costs = new CostlyRequests({
    clock,
    turns,
    random: { bytes: (into) => into },
    vocabulary: orchVocabulary,
  });
  /** Handles some requests that begin in one turn, which takes so long; says whether the first had to wait for its turn. */
  const handleAll = async (
    count: number,
    milliseconds: number,
    { user = 'ann', method, url }: { user?: string; method?: string; url?: string } = {},
  ) => {
    const known = requestOf(user, method, url);
    const waits = Array.from({ length: count }, () => costs.begin(known));
    await Promise.all(waits);
    clock.advance(milliseconds);
    for (const end of ends) end();
    ends = [];
    return waits[0] !== undefined;
  };
  const handle = (milliseconds: number, about = {}) => handleAll(1, milliseconds, about);
  /** Lets nobody have a turn until the returned function is called. */
  const holdTurns = (): (() => void) => {
    let release = (): void => {};
    turn = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  return { clock, costs, handle, handleAll, holdTurns, pauses: () => pauses };
}

describe('CostlyRequests', () => {
  it('lets short requests begin at once, however many there are', async () => {
    const { handle, pauses } = costlyRequests();
    for (let i = 0; i < 1000; i++) expect(await handle(2)).toBe(false);
    expect(pauses()).toBe(0);
  });

  it('makes requests wait for their turn after several long ones', async () => {
    const { handle, pauses } = costlyRequests();
    for (let i = 0; i < 3; i++) expect(await handle(30)).toBe(false);
    expect(await handle(30)).toBe(true);
    expect(await handle(30)).toBe(true);
    expect(pauses()).toBe(2);
  });

  it('does not let one long piece of work count', async () => {
    const { handle } = costlyRequests();
    await handle(5000);
    expect(await handle(1)).toBe(false);
  });

  it('does not let cheap requests wait of which some take long by chance', async () => {
    const { handle, pauses } = costlyRequests();
    for (let i = 0; i < 1000; i++) await handle(i % 5 === 0 ? 10 : 0.5);
    expect(pauses()).toBe(0);
  });

  it('does not let requests wait that take long because others have the processor', async () => {
    const { handle, pauses } = costlyRequests(0.1);
    for (let i = 0; i < 1000; i++) await handle(10);
    expect(pauses()).toBe(0);
  });

  it('shares a turn among the requests that begin in it', async () => {
    const { handleAll, pauses } = costlyRequests();
    for (let i = 0; i < 100; i++) await handleAll(16, 32);
    // not all of so many are remembered
    for (let i = 0; i < 100; i++) await handleAll(500, 1000);
    expect(pauses()).toBe(0);
  });

  it('does not let requests wait any longer that have become cheap, as they do in a process that has just begun', async () => {
    const { handle, pauses } = costlyRequests();
    for (let i = 0; i < 10; i++) await handle(20);
    expect(await handle(1)).toBe(true);
    for (let i = 0; i < 30; i++) await handle(1);
    const before = pauses();
    for (let i = 0; i < 100; i++) await handle(1);
    expect(pauses()).toBe(before);
  });

  it('does not let requests overtake those of their kind that wait', async () => {
    const { clock, costs, handle, holdTurns } = costlyRequests();
    for (let i = 0; i < 4; i++) await handle(30);
    const release = holdTurns();
    const [earlier, later, other] = [requestOf('ann'), requestOf('ann'), requestOf('bob')];
    const waits = costs.begin(earlier);
    // by then the average is forgotten
    clock.advance(60_000);
    expect(costs.begin(other)).toBeUndefined();
    const waitsBehind = costs.begin(later);
    expect(waitsBehind).toBeInstanceOf(Promise);
    release();
    await Promise.all([waits, waitsBehind]);
    expect(costs.begin(requestOf('ann'))).toBeUndefined();
  });

  it('tells users, verbs and resources apart', async () => {
    const { handle } = costlyRequests();
    for (let i = 0; i < 4; i++) await handle(30);
    expect(await handle(1, { user: 'bob' })).toBe(false);
    expect(await handle(1, { method: 'PUT', url: '/api/v1/notes/a' })).toBe(false);
    expect(await handle(1, { url: '/api/v1/tasks' })).toBe(false);
    expect(await handle(1)).toBe(true);
  });

  it('forgets costs with time, also the highest ones', async () => {
    const { clock, handle } = costlyRequests();
    for (let i = 0; i < 500; i++) await handle(500);
    clock.advance(10_000);
    expect(await handle(1)).toBe(true);
    clock.advance(10_000);
    expect(await handle(1)).toBe(false);
  });

  it('remembers a limited number of costs: the oldest is forgotten', async () => {
    const { handle } = costlyRequests();
    for (let i = 0; i < 4; i++) await handle(30, { user: 'first' });
    for (let i = 0; i < 1000; i++) await handle(3, { user: `user ${i}` });
    expect(await handle(1, { user: 'first' })).toBe(false);
  });
});

describe('requests that shared a long turn', () => {
  /** One request of each user at a time, in turns of the event loop; those of `costly` take 20 ms, others 0.1 ms. */
  function rounds() {
    const clock = createSteppedClock();
    let pauses = 0;
    const turns = {
      requestBegan: () => {},
      pause: async () => void pauses++,
      atEndOfTurn: (call: () => void) => queueMicrotask(() => process.nextTick(call)),
      inNextTurn: (call: () => void) => void setImmediate(call),
    };
    const costs = new CostlyRequests({
      clock,
      turns,
      random: { bytes: (into) => into },
      vocabulary: orchVocabulary,
    });
    const handle = async (user: string): Promise<void> => {
      await costs.beginWithBody(requestOf(user));
      await undefined;
      clock.advance(user === 'costly' ? 20 : 0.1);
    };
    const round = async (...users: readonly string[]): Promise<void> => {
      await Promise.all(users.map(handle));
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { round, pauses: () => pauses };
  }
  const cheap = Array.from({ length: 15 }, (_, i) => `cheap${i}`);

  it('continue alone, until it is known whose time it was', async () => {
    const { round, pauses } = rounds();
    for (let i = 0; i < 8; i++) await round('costly', ...cheap);
    expect(pauses()).toBeGreaterThan(0);
    const before = pauses();
    for (let i = 0; i < 20; i++) await round(...cheap);
    expect(pauses()).toBe(before);
  });

  it('share turns again if each was short', async () => {
    const { round, pauses } = rounds();
    for (let i = 0; i < 50; i++) await round(...cheap);
    expect(pauses()).toBe(0);
  });
});
