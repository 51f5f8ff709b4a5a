import { describe, expect, it } from 'vitest';
import { duration, integer, list, names, text, toggle } from './flag-kinds.ts';
import type { Flag } from './flags.ts';

const kinds = {
  text: text('Group', 'TEXT', 'meaning'),
  integer: integer('Group', 'N', 'meaning', 10),
  duration: duration('Group', 'meaning'),
  toggle: toggle('Group', 'meaning'),
  list: list('Group', 'NAME,NAME', 'meaning'),
  names: names('Group', 'meaning', ['a', 'b'], (name) => `there is no ${name}`),
} satisfies Record<string, Flag<unknown>>;
type Kind = keyof typeof kinds;

describe('kinds of flags', () => {
  it.each<[Kind, string, unknown]>([
    ['text', ' a,b ', ' a,b '],
    ['integer', '0', 0],
    ['integer', '010', 10],
    ['duration', '1m30s', 90_000],
    ['duration', '0', 0],
    ['duration', '1500us', 1.5],
    ['toggle', 'true', true],
    ['toggle', 'false', false],
    ['list', 'a', ['a']],
    ['list', 'b,a,b', ['b', 'a', 'b']],
    ['names', 'b,a', ['b', 'a']],
  ])('%s accepts %j', (kind, given, value) => {
    expect(kinds[kind].parse(given)).toEqual(value);
  });

  it.each<[Kind, string, string]>([
    ['text', '', 'the value is empty'],
    ['integer', '11', '11 is not an integer from 0 to 10'],
    ['integer', '-1', '-1 is not an integer from 0 to 10'],
    ['integer', '1.0', '1.0 is not an integer from 0 to 10'],
    ['duration', '-1ms', 'the duration must not be negative'],
    ['toggle', 'True', 'True is neither true nor false'],
    ['list', '', 'one of the values is empty'],
    ['list', 'a,,b', 'one of the values is empty'],
    ['names', 'a,c,d', 'there is no c'],
    ['names', 'a,', 'there is no '],
  ])('%s rejects %j', (kind, given, why) => {
    expect(() => kinds[kind].parse(given)).toThrow(new Error(why));
  });

  it('lists are appended, all other values are replaced', () => {
    expect(kinds.list.join?.(['b'], ['a', 'b'])).toEqual(['b', 'a', 'b']);
    expect(kinds.names.join?.(['b'], ['a'])).toEqual(['b', 'a']);
    const joined = Object.entries<Flag<unknown>>(kinds).filter(([, { join }]) => join);
    expect(joined.map(([kind]) => kind)).toEqual(['list', 'names']);
  });

  it('only booleans need no value', () => {
    const bare = Object.entries<Flag<unknown>>(kinds).filter(([, { value }]) => value === undefined);
    expect(bare.map(([kind]) => kind)).toEqual(['toggle']);
  });
});
