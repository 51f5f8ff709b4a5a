import { parseDuration } from '@ashlar/core';
import type { Flag } from './flags.ts';

/** A flag whose value is any text except the empty one. */
export const text = (group: string, value: string, meaning: string): Flag<string> => ({
  group,
  value,
  meaning,
  parse(argument) {
    if (argument === '') throw new Error('the value is empty');
    return argument;
  },
});

/** A flag whose value is an integer from a minimum, by default 0, to a maximum. */
export const integer = (
  group: string,
  value: string,
  meaning: string,
  maximum: number,
  minimum = 0,
): Flag<number> => ({
  group,
  value,
  meaning,
  parse(argument) {
    const number = Number(argument);
    if (!/^\d+$/.test(argument) || number > maximum || number < minimum)
      throw new Error(`${argument} is not an integer from ${minimum} to ${maximum}`);
    return number;
  },
});

/** A flag whose value is a duration in the format of Go, such as 1m30s; parsed to milliseconds. */
export const duration = (group: string, meaning: string): Flag<number> => ({
  group,
  value: 'DURATION',
  meaning,
  parse(argument) {
    const milliseconds = Number(parseDuration(argument)) / 1_000_000;
    if (milliseconds < 0) throw new Error('the duration must not be negative');
    return milliseconds;
  },
});

/** A boolean flag: true when it is given without a value. */
export const toggle = (group: string, meaning: string): Flag<boolean> => ({
  group,
  meaning,
  parse(argument) {
    if (argument === 'true') return true;
    if (argument === 'false') return false;
    throw new Error(`${argument} is neither true nor false`);
  },
});

/** A flag whose value is a comma-separated list. Repeated flags add to the list. */
export const list = (group: string, value: string, meaning: string): Flag<readonly string[]> => ({
  group,
  value,
  meaning,
  parse(argument) {
    const parts = argument.split(',');
    if (parts.includes('')) throw new Error('one of the values is empty');
    return parts;
  },
  join: concatenated,
});

/**
 * A flag whose value is a comma-separated list of known names. Repeated flags add to the list.
 * @param unknownName returns the error message for an unknown name
 */
export const names = <T extends string>(
  group: string,
  meaning: string,
  choices: readonly T[],
  unknownName: (name: string) => string,
): Flag<readonly T[]> => ({
  group,
  value: 'LIST',
  meaning,
  parse(argument) {
    const isKnown = (name: string): name is T => (choices as readonly string[]).includes(name);
    return argument.split(',').map((name) => {
      if (!isKnown(name)) throw new Error(unknownName(name));
      return name;
    });
  },
  join: concatenated,
});

/** Combines the lists of a repeated flag. */
export function concatenated<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  return [...first, ...second];
}
