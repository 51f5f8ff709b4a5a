import { errorMessage, nearestName } from '@ashlar/core';
import { UsageError } from '../usage-error.ts';

/** A flag of the command: its help text and parser. */
export interface Flag<T> {
  readonly group: string;
  readonly meaning: string;
  /** Placeholder of the value in the help text; boolean flags have none. */
  readonly value?: string;
  /** What to do instead, or why it goes away: a deprecated flag still works, and is answered with a warning. */
  readonly deprecated?: string;
  /** Parses the value. @throws Error that describes an invalid value */
  parse(text: string): T;
  /** Combines the values of a repeated flag; without it the last one counts. @throws Error that describes an invalid combination */
  join?(first: T, second: T): T;
}

export type FlagTable = Readonly<Record<string, Flag<unknown>>>;

/** The table of flags whose parsed values have these types. */
export type FlagTableOf<V> = { readonly [K in keyof V]-?: Flag<NonNullable<V[K]>> };

/** Parsed values by flag; flags that were not given are absent. */
export type FlagValues<T extends FlagTable> = {
  readonly [K in keyof T]?: T[K] extends Flag<infer V> ? V : never;
};

/** Parsed arguments of a command. */
export interface ParsedArguments<T extends FlagTable> {
  readonly flags: FlagValues<T>;
  /** Arguments that are not flags, in order. */
  readonly operands: readonly string[];
  /** Sentences about deprecated flags that were given. */
  readonly warnings: readonly string[];
}

/**
 * Parses the arguments of a command that accepts only flags.
 * @param warn called for each deprecated flag
 * @throws UsageError as `parseArguments`, and for an argument that is not a flag
 */
export function parseFlags<T extends FlagTable>(
  table: T,
  words: readonly string[],
  warn?: (sentence: string, flags: FlagValues<T>) => void,
): FlagValues<T> {
  const { flags, operands, warnings } = parseArguments(table, words);
  for (const warning of warnings) warn?.(warning, flags);
  if (operands.length === 0) return flags;
  throw new UsageError(`unexpected argument ${JSON.stringify(operands[0])}; see ashlar --help`);
}

/**
 * Parses the arguments of a command. `--name value` and `--name=value` are accepted, and `_` for `-`; a boolean flag needs no value.
 * @throws UsageError for an unknown flag, a missing value and an invalid value
 */
export function parseArguments<T extends FlagTable>(table: T, words: readonly string[]): ParsedArguments<T> {
  const values: Record<string, unknown> = {};
  const operands: string[] = [];
  const warnings = new Set<string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (!word.startsWith('--')) {
      operands.push(word);
      continue;
    }
    const { name, inline } = splitFlag(word);
    const flag = Object.hasOwn(table, name) && table[name];
    if (!flag) throw new UsageError(`unknown flag: --${name}${suggestion(name, table)}; see ashlar --help`);
    if (inline === undefined && flag.value !== undefined) i++;
    const text = inline ?? (flag.value === undefined ? 'true' : words[i]);
    if (text === undefined || (inline === undefined && text.startsWith('--')))
      throw new UsageError(`flag --${name} needs a value`);
    values[name] = flagValue(name, flag, text, values);
    if (flag.deprecated !== undefined) warnings.add(`Flag --${name} has been deprecated, ${flag.deprecated}`);
  }
  return { flags: values as FlagValues<T>, operands, warnings: [...warnings] };
}

/** The flag that was probably meant: spelled nearly so, or with a longer name such as `--secure-port` for `--port`. */
function suggestion(name: string, table: FlagTable): string {
  if (name === '') return '';
  const names = Object.keys(table);
  const similar =
    nearestName(name, names) ??
    names.find((each) => each.endsWith(`-${name}`) || each.startsWith(`${name}-`));
  return similar === undefined ? '' : `, did you mean --${similar}?`;
}

function splitFlag(word: string): { name: string; inline: string | undefined } {
  const equals = word.indexOf('=');
  const name = (equals < 0 ? word : word.slice(0, equals)).slice(2).replaceAll('_', '-');
  return { name, inline: equals < 0 ? undefined : word.slice(equals + 1) };
}

/** Returns the value of a flag, combined with that of earlier occurrences. */
function flagValue(name: string, flag: Flag<unknown>, text: string, before: FlagValues<FlagTable>): unknown {
  try {
    const value = flag.parse(text);
    return name in before && flag.join ? flag.join(before[name], value) : value;
  } catch (error) {
    throw new UsageError(`flag --${name}: ${errorMessage(error)}`);
  }
}

/** Blanks between the longest flag and its meaning. */
const GAP = 2;

const spelled = ([name, { value }]: readonly [string, Flag<unknown>]): string =>
  `  --${name}${value === undefined ? '' : ` ${value}`}`;

/** The flags of a table as help prints them, by group. */
export function flagsHelp(table: FlagTable): string {
  const groups = new Map<string, string[]>();
  const width = Math.max(...Object.entries(table).map((entry) => spelled(entry).length)) + GAP;
  for (const [name, flag] of Object.entries(table)) {
    const { group, meaning, deprecated } = flag;
    const note = deprecated === undefined ? '' : ` (deprecated: ${deprecated})`;
    const line = spelled([name, flag]).padEnd(width) + meaning + note;
    groups.set(group, [...(groups.get(group) ?? []), line]);
  }
  return [...groups].map(([group, lines]) => `${group}:\n${lines.join('\n')}`).join('\n\n');
}
