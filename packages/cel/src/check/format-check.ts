import type { CallNode, Expression } from '../syntax/ast.ts';
import type { Issue } from '../syntax/source.ts';
import type { CheckedExpression } from './checked-expression.ts';
import { type CelType, type TypeKind, types } from './types.ts';

/** What one clause of a format takes, and what it says of other types. */
interface Clause {
  readonly kinds: ReadonlySet<TypeKind>;
  readonly text: string;
}

const clause = (text: string, ...kinds: readonly TypeKind[]): Clause => ({ kinds: new Set(kinds), text });

const TEXT = clause(
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  ...(['list', 'map', 'int', 'uint', 'double', 'bool', 'string'] as const),
  ...(['timestamp', 'bytes', 'duration', 'type', 'null_type'] as const),
);
const HEXADECIMAL = clause(
  'only integers, byte buffers, and strings can be formatted as hex',
  ...(['int', 'uint', 'string', 'bytes'] as const),
);
/** Texts may be infinite numbers by name. */
const CLAUSES: ReadonlyMap<string, Clause> = new Map([
  ['s', TEXT],
  ['d', clause('decimal clause can only be used on integers', 'int', 'uint')],
  ['f', clause('fixed-point clause can only be used on doubles', 'double', 'string')],
  ['e', clause('scientific clause can only be used on doubles', 'double', 'string')],
  ['b', clause('only integers and bools can be formatted as binary', 'int', 'uint', 'bool')],
  ['x', HEXADECIMAL],
  ['X', HEXADECIMAL],
  ['o', clause('octal clause can only be used on integers', 'int', 'uint')],
]);

/**
 * Returns what is wrong with `'…'.format([…])`, if the text and the list are literals: a clause that does not
 * exist or does not take the type of its value, or another number of values than clauses. Values whose type is
 * known only at run time are not checked.
 */
export function formatIssue(expression: CheckedExpression, call: CallNode): Issue | undefined {
  const [values] = call.arguments;
  if (!isFormat(expression, call) || values?.kind !== 'list') return undefined;
  const { target } = call;
  if (target?.kind !== 'constant' || typeof target.value !== 'string') return undefined;
  const check = new FormatCheck(expression, call, values.elements);
  return check.issue(target.value);
}

/** Whether a call is that of the library, not of a function of a host with the same name. */
function isFormat(expression: CheckedExpression, call: CallNode): boolean {
  if (call.function !== 'format' || call.arguments.length !== 1) return false;
  const overloads = expression.references[call.id]?.overloads ?? [];
  return overloads.some(({ id }) => id === 'string_format');
}

/** A clause with its precision; both may be missing. */
const CLAUSE = /%(?:%|(\.\d*)?([\s\S])?)/g;

class FormatCheck {
  readonly #expression: CheckedExpression;
  readonly #call: CallNode;
  readonly #values: readonly Expression[];

  constructor(expression: CheckedExpression, call: CallNode, values: readonly Expression[]) {
    this.#expression = expression;
    this.#call = call;
    this.#values = values;
  }

  issue(text: string): Issue | undefined {
    let index = 0;
    for (const [written, precision, verb] of text.matchAll(CLAUSE)) {
      if (written === '%%') continue;
      const issue = this.#clauseIssue(index++, precision, verb);
      if (issue) return issue;
    }
    if (this.#values.length <= index) return undefined;
    const given = this.#values.length;
    return this.#wrong(`too many arguments supplied to string.format (expected ${index}, got ${given})`);
  }

  #clauseIssue(index: number, precision: string | undefined, verb: string | undefined): Issue | undefined {
    if (verb === undefined && precision === undefined) return this.#wrong('unexpected end of string');
    const value = this.#values[index];
    if (!value) return this.#wrong(`index ${index} out of range`);
    const unreadable = precision === undefined ? undefined : precisionFault(precision, verb);
    if (unreadable) return this.#unreadable(`error while parsing precision: ${unreadable}`);
    const found = CLAUSES.get(verb ?? '');
    if (!found) return this.#unreadable(`unrecognized formatting clause "${verb}"`);
    const misfit = this.#misfit(found, value);
    if (!misfit) return undefined;
    const { name } = this.#typeOf(misfit);
    const message = `error during formatting: ${found.text}, was given ${name}`;
    return { message, position: misfit.position };
  }

  /** The value that a clause does not take: the given one, or one that a literal has inside. */
  #misfit(clause: Clause, value: Expression): Expression | undefined {
    const { kind } = this.#typeOf(value);
    if (kind === 'dyn') return undefined;
    if (!clause.kinds.has(kind)) return value;
    return clause === TEXT ? this.#misfitInside(value) : undefined;
  }

  #misfitInside(value: Expression): Expression | undefined {
    const parts =
      value.kind === 'list'
        ? value.elements
        : value.kind === 'map'
          ? value.entries.flatMap((entry) => [entry.key, entry.value])
          : [];
    for (const part of parts) {
      const misfit = this.#misfit(TEXT, part);
      if (misfit) return misfit;
    }
    return undefined;
  }

  #typeOf(value: Expression): CelType {
    return this.#expression.types[value.id] ?? types.dyn;
  }

  #wrong(message: string): Issue {
    return { message, position: this.#call.position };
  }

  #unreadable(reason: string): Issue {
    return this.#wrong(`could not parse formatting clause: ${reason}`);
  }
}

/** What is wrong with the precision of a clause, written with its dot. */
function precisionFault(precision: string, verb: string | undefined): string | undefined {
  if (verb === undefined) return 'could not find end of precision specifier';
  if (precision !== '.') return undefined;
  return 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax';
}
