import fc from 'fast-check';
import { expect, it } from 'vitest';
import { controlOf, queued, requestOf, userOf } from '../flow-control.fixture.ts';
import type { FlowTicket } from './flow-ticket.ts';

type Step =
  | { readonly kind: 'begin'; readonly user: number; readonly seats: number; readonly lingers: boolean }
  | { readonly kind: 'release' | 'abort'; readonly which: number }
  | { readonly kind: 'advance'; readonly milliseconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('begin' as const),
    user: fc.nat(5),
    seats: fc.integer({ min: 1, max: 4 }),
    lingers: fc.boolean(),
  }),
  fc.record({ kind: fc.constantFrom('release' as const, 'abort' as const), which: fc.nat(20) }),
  fc.record({ kind: fc.constant('advance' as const), milliseconds: fc.nat(4_000) }),
);

it('occupies no more seats than it has, and is idle when all are answered', async () => {
  const queuing = { queues: 4, handSize: 2, queueLengthLimit: 3 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 80 }),
      fc.integer({ min: 1, max: 6 }),
      async (steps, seats) => {
        const { control, clock } = controlOf(seats, queued(1, queuing));
        const level = control.levels.find(({ name }) => name === 'level');
        if (!level) throw new Error('there is no level');
        const tickets: FlowTicket[] = [];
        const callers: AbortController[] = [];
        const begin = async (user: number, work: { seats: number; lingers: boolean }): Promise<void> => {
          const caller = new AbortController();
          callers.push(caller);
          const patience = { longestWait: 2_000, signal: caller.signal };
          const afterwards = work.lingers ? { finalSeats: 2, finalMilliseconds: 50 } : {};
          const outcome = await control.begin(userOf(`u${user}`), requestOf(), patience, () => ({
            seats: work.seats,
            ...afterwards,
          }));
          if (outcome.outcome === 'admitted') tickets.push(outcome);
        };
        const all: Promise<void>[] = [];
        for (const step of steps) {
          if (step.kind === 'begin') all.push(begin(step.user, step));
          else if (step.kind === 'advance') clock.advance(step.milliseconds);
          else if (step.kind === 'release') tickets[step.which % Math.max(1, tickets.length)]?.release();
          else callers[step.which % Math.max(1, callers.length)]?.abort();
          await Promise.resolve();
          const occupied = [...level.counts.running].reduce((sum, ticket) => sum + ticket.seats, 0);
          expect(level.counts.seats).toBeGreaterThanOrEqual(occupied);
          expect(level.counts.seats <= level.current || level.counts.running.length <= 1).toBe(true);
          expect(level.counts.waiting).toBeGreaterThanOrEqual(0);
        }
        for (let i = 0; i < steps.length + 1; i++) {
          for (const ticket of tickets) ticket.release();
          clock.advance(2_000);
          await Promise.resolve();
        }
        await Promise.all(all);
        for (const ticket of tickets) ticket.release();
        clock.advance(50);
        expect(level).toMatchObject({ isIdle: true, counts: { seats: 0, waitingSeats: 0 } });
        expect([...level.queues.active.values()].filter(({ isBusy, seats }) => isBusy || seats > 0)).toEqual(
          [],
        );
        expect(control.counts.find(({ schema }) => schema === 'all')).toMatchObject({
          ...{ executing: 0, executingSeats: 0, waiting: 0, waitingSeats: 0 },
        });
      },
    ),
    { numRuns: 300 },
  );
});
