import { parseDuration } from '@ashlar/core';
import type { Flag } from './flags.ts';

/** Any text but the empty one. */
export const text = (group: string, value: string, meaning: string): Flag<string> => ({
  group,
  value,
  meaning,
  parse(given) {
    if (given === '') throw new Error('the value is empty');
    return given;
  },
});

/** A whole number from 0. */
export const integer = (group: string, value: string, meaning: string, maximum: number): Flag<number> => ({
  group,
  value,
  meaning,
  parse(given) {
    const number = Number(given);
    if (!/^\d+$/.test(given) || number > maximum)
      throw new Error(`${given} is no whole number from 0 to ${maximum}`);
    return number;
  },
});

/** A time as Go writes it, such as 1m30s; in milliseconds. */
export const duration = (group: string, meaning: string): Flag<number> => ({
  group,
  value: 'DURATION',
  meaning,
  parse(given) {
    const milliseconds = Number(parseDuration(given)) / 1_000_000;
    if (milliseconds < 0) throw new Error('a duration is not negative');
    return milliseconds;
  },
});

/** A switch: on when it is given without a value. */
export const toggle = (group: string, meaning: string): Flag<boolean> => ({
  group,
  meaning,
  parse(given) {
    if (given === 'true') return true;
    if (given === 'false') return false;
    throw new Error(`${given} is neither true nor false`);
  },
});

/** Texts with commas between them. Lists grow when they are given again. */
export const list = (group: string, value: string, meaning: string): Flag<readonly string[]> => ({
  group,
  value,
  meaning,
  parse(given) {
    const parts = given.split(',');
    if (parts.includes('')) throw new Error('one of the values is empty');
    return parts;
  },
  join: grown,
});

/**
 * Known names with commas between them. Lists grow when they are given again.
 * @param refusal what is said of a name that is not known
 */
export const names = <T extends string>(
  group: string,
  meaning: string,
  known: readonly T[],
  refusal: (name: string) => string,
): Flag<readonly T[]> => ({
  group,
  value: 'LIST',
  meaning,
  parse(given) {
    const isKnown = (name: string): name is T => (known as readonly string[]).includes(name);
    return given.split(',').map((name) => {
      if (!isKnown(name)) throw new Error(refusal(name));
      return name;
    });
  },
  join: grown,
});

/** What a list is that is given again: the values of both. */
export function grown<T>(earlier: readonly T[], later: readonly T[]): readonly T[] {
  return [...earlier, ...later];
}
