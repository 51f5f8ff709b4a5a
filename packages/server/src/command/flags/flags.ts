import { UsageError } from '../usage-error.ts';

/** A flag of the command: how it is written, and what it means. */
export interface Flag<T> {
  readonly group: string;
  readonly meaning: string;
  /** What stands for the value in help; switches have none. */
  readonly value?: string;
  /** @throws Error with what is wrong with the text */
  parse(text: string): T;
  /** What a flag means that is given again; without it the later one holds. @throws Error with what is wrong with both together */
  join?(earlier: T, later: T): T;
}

export type FlagTable = Readonly<Record<string, Flag<unknown>>>;

/** The table that gives these values: it has a flag for each. */
export type FlagTableOf<V> = { readonly [K in keyof V]-?: Flag<NonNullable<V[K]>> };

/** Values by flag; a flag that was not given is absent. */
export type FlagValues<T extends FlagTable> = {
  readonly [K in keyof T]?: T[K] extends Flag<infer V> ? V : never;
};

/** What stands behind a command. */
export interface ParsedWords<T extends FlagTable> {
  readonly flags: FlagValues<T>;
  /** Words that are no flags, in their order. */
  readonly operands: readonly string[];
}

/**
 * Reads the flags behind a command that takes nothing else.
 * @throws UsageError as `parseWords`, and for a word that is no flag
 */
export function parseFlags<T extends FlagTable>(table: T, words: readonly string[]): FlagValues<T> {
  const { flags, operands } = parseWords(table, words);
  if (operands.length === 0) return flags;
  throw new UsageError(`${JSON.stringify(operands[0])} is no flag; ashlar --help lists those that there are`);
}

/**
 * Reads the words behind a command. `--name value`, `--name=value`, and `_` for `-` are understood; a switch needs no value.
 * @throws UsageError for an unknown flag, a flag without its value, and a value that is none
 */
export function parseWords<T extends FlagTable>(table: T, words: readonly string[]): ParsedWords<T> {
  const values: Record<string, unknown> = {};
  const operands: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (!word.startsWith('--')) {
      operands.push(word);
      continue;
    }
    const { name, inline } = splitFlag(word);
    const flag = Object.hasOwn(table, name) && table[name];
    if (!flag) throw new UsageError(`unknown flag --${name}; ashlar --help lists those that there are`);
    if (inline === undefined && flag.value !== undefined) i++;
    const text = inline ?? (flag.value === undefined ? 'true' : words[i]);
    if (text === undefined || (inline === undefined && text.startsWith('--')))
      throw new UsageError(`flag --${name} needs a value`);
    values[name] = flagValue(name, flag, text, values);
  }
  return { flags: values as FlagValues<T>, operands };
}

function splitFlag(word: string): { name: string; inline: string | undefined } {
  const equals = word.indexOf('=');
  const name = (equals < 0 ? word : word.slice(0, equals)).slice(2).replaceAll('_', '-');
  return { name, inline: equals < 0 ? undefined : word.slice(equals + 1) };
}

/** What a flag says now, with what it said before. */
function flagValue(name: string, flag: Flag<unknown>, text: string, before: FlagValues<FlagTable>): unknown {
  try {
    const value = flag.parse(text);
    return name in before && flag.join ? flag.join(before[name], value) : value;
  } catch (error) {
    throw new UsageError(`flag --${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The flags of a table as help prints them, by group. */
export function flagsHelp(table: FlagTable): string {
  const groups = new Map<string, string[]>();
  for (const [name, { group, meaning, value }] of Object.entries(table)) {
    const spelled = `  --${name}${value === undefined ? '' : ` ${value}`}`;
    groups.set(group, [...(groups.get(group) ?? []), `${spelled.padEnd(46)}${meaning}`]);
  }
  return [...groups].map(([group, lines]) => `${group}:\n${lines.join('\n')}`).join('\n\n');
}
