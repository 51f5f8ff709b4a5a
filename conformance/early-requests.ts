import type { PlayedStep, Player } from './player.ts';

interface Received {
  readonly requests: readonly unknown[];
}

/**
 * Returns a player whose steps `received` take no more requests than were recorded where they compare only some of them by index: the rest
 * stays for the next step at the same path. The collector of the recorded server is a program beside it, so that its requests came later than ours,
 * which the step before may get already.
 */
export function keepEarlyRequests(player: Player): Player {
  const { received } = player.steps;
  if (!received) return player;
  const early = new Map<string, readonly unknown[]>();
  return {
    ...player,
    steps: {
      ...player.steps,
      async received(step, scope, client) {
        const path = String(step.received);
        const kept = early.get(path) ?? [];
        const count = Math.max(0, (step.count ?? 1) - kept.length);
        const { requests } = (await received({ ...step, count }, scope, client)) as Received;
        const all = [...kept, ...requests];
        const taken = comparesSome(step) ? recordedCount(step) : all.length;
        early.set(path, all.slice(taken));
        return { requests: all.slice(0, taken) };
      },
    },
    end() {
      early.clear();
      return player.end();
    },
  };
}

const comparesSome = ({ only }: PlayedStep): boolean =>
  only?.every((path) => /^\/requests\/\d+(\/|$)/.test(path)) ?? false;

const recordedCount = ({ expect }: PlayedStep): number =>
  (expect as Partial<Received> | undefined)?.requests?.length ?? Number.POSITIVE_INFINITY;
