import { withoutTrailing } from '@ashlar/core';

/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  /** Parameters other than `q`; of equal names the last. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Parses the clauses of an Accept header, best first (semantics/encodings#accept): by `q`, and those that
 * name a type or subtype before wildcards. Invalid clauses are skipped. The order is exactly that of the
 * reference server: its comparison lets a more exact clause pass its **neighbour** regardless of `q`, so
 * `…;q=0.5` of a wildcard follows an exact type of `q=0`.
 */
export function parseAccept(header: string): AcceptClause[] {
  const clauses = clauseTexts(header).flatMap((text) => parseClause(text) ?? []);
  if (clauses.length > MANY) return clauses.sort((a, b) => Number(precedes(b, a)) - Number(precedes(a, b)));
  const sorted: AcceptClause[] = [];
  for (const clause of clauses) insert(sorted, clause);
  return sorted;
}

/**
 * Maximum number of clauses in the exact order of the reference server; beyond it that order is arbitrary,
 * and insertion sort would make large headers expensive.
 */
const MANY = 100;

/** Maximum number of clauses: callers send a dozen, and each costs much more than the comma that it takes. */
const MAXIMUM_CLAUSES = 2000;

/** The clauses of a header as written; none if there are too many, so that nothing is acceptable. */
export function clauseTexts(header: string): readonly string[] {
  const texts = header.split(',', MAXIMUM_CLAUSES + 1);
  return texts.length > MAXIMUM_CLAUSES ? [] : texts;
}

function insert(clauses: AcceptClause[], clause: AcceptClause): void {
  let at = clauses.length;
  while (at > 0 && precedes(clause, clauses[at - 1] as AcceptClause)) at--;
  clauses.splice(at, 0, clause);
}

function precedes(a: AcceptClause, b: AcceptClause): boolean {
  if (a.quality > b.quality) return true;
  if (a.type !== '*' && b.type === '*') return true;
  return a.subtype !== '*' && b.subtype === '*';
}

function parseClause(text: string): AcceptClause | undefined {
  const [range = '', ...parameterTexts] = text.split(';');
  const [type = '', subtype = '', ...more] = range.split('/').map(trimSpaces);
  // "a/b/" is read as "a/b": only text after a second slash invalidates the clause
  if (more.join('/') !== '') return undefined;
  if (subtype === '' && !hasSubtype(range) && type !== '*') return undefined;
  const { quality, parameters } = parseParameters(parameterTexts);
  return { type, subtype: hasSubtype(range) ? subtype : '*', quality, parameters };
}

function hasSubtype(range: string): boolean {
  const slash = trimSpaces(range).indexOf('/');
  return slash >= 0 && slash < trimSpaces(range).length - 1;
}

function parseParameters(texts: readonly string[]): { quality: number; parameters: Map<string, string> } {
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const text of texts) {
    const [name = '', value = '', ...more] = text.split('=');
    if (value === '' || more.join('=') !== '') continue;
    if (trimSpaces(name) === 'q') quality = parseQuality(value);
    else parameters.set(trimSpaces(name), trimSpaces(value));
  }
  return { quality, parameters };
}

const DECIMAL = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const INFINITE = /^[+-]?inf(?:inity)?$/i;

/** Any number is a quality, also beyond 0 to 1; anything else counts as 0. */
function parseQuality(text: string): number {
  if (DECIMAL.test(text)) return Math.fround(Number(text));
  if (INFINITE.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return 0;
}

function trimSpaces(text: string): string {
  let start = 0;
  while (text[start] === ' ') start++;
  return withoutTrailing(text.slice(start), ' ');
}
