import { ParseError } from '../errors/parse-error.ts';
import { excerpt } from '../text/excerpt.ts';
import { compareUtf8 } from '../text/utf8.ts';
import { MAXIMUM_REQUIREMENTS, tooManyRequirements } from './selector-terms.ts';

/** One condition on a field (semantics/list-and-watch#field-selectors). */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Returns the value of a field; the empty string if it is absent. */
export type FieldReader = (field: string) => string | undefined;

/** A compiled field selector (semantics/list-and-watch#field-selectors). */
export interface FieldSelector {
  /** All must match; sorted by their text. */
  readonly requirements: readonly FieldRequirement[];
  /** Selects everything. */
  readonly isEmpty: boolean;
  matches(read: FieldReader): boolean;
  /**
   * The value that the selector requires of a field, if any: a list of `metadata.name=x` is a list of one
   * name.
   */
  exactValue(field: string): string | undefined;
  /** The query form, which `parseFieldSelector` parses. */
  toString(): string;
}

/**
 * Parses a field selector, `fieldSelector=` of a request. The empty string selects everything; empty terms
 * are skipped.
 *
 * @example
 * const selector = parseFieldSelector('metadata.name=a,status.phase!=Failed');
 * selector.exactValue('metadata.name'); // a
 * selector.matches((field) => ({ 'metadata.name': 'a' })[field]); // true
 *
 * @throws ParseError with the recorded texts of semantics/list-and-watch#field-selectors
 */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text).filter((term) => term !== '');
  if (terms.length > MAXIMUM_REQUIREMENTS) throw tooManyRequirements();
  return fieldSelectorOf(terms.sort(compareUtf8).map((term) => parseTerm(term, text)));
}

/** The selector of requirements. */
export function fieldSelectorOf(requirements: readonly FieldRequirement[]): FieldSelector {
  const remaining = requirements.filter(({ field, value }) => field !== '' || value !== '');
  const conditions = new Map<string, FieldCondition>();
  for (const requirement of remaining) addCondition(conditions, requirement);
  return {
    requirements: remaining,
    isEmpty: remaining.length === 0,
    matches(read) {
      for (const [field, condition] of conditions) if (!holds(condition, read(field) ?? '')) return false;
      return true;
    },
    exactValue: (name) => conditions.get(name)?.exact,
    toString: () =>
      remaining
        .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
        .join(','),
  };
}

/** All requirements of one field: matching costs one lookup per field. */
interface FieldCondition {
  /** The first required value. */
  exact: string | undefined;
  /** Two different values are required. */
  isImpossible: boolean;
  readonly refused: Set<string>;
}

function addCondition(
  conditions: Map<string, FieldCondition>,
  { field, operator, value }: FieldRequirement,
): void {
  const condition = conditions.get(field) ?? { exact: undefined, isImpossible: false, refused: new Set() };
  conditions.set(field, condition);
  if (operator === '!=') condition.refused.add(value);
  else if (condition.exact === undefined) condition.exact = value;
  else if (condition.exact !== value) condition.isImpossible = true;
}

function holds({ exact, isImpossible, refused }: FieldCondition, value: string): boolean {
  return !isImpossible && (exact === undefined || exact === value) && !refused.has(value);
}

/** Selects every object. */
export const everyField: FieldSelector = fieldSelectorOf([]);

/** Escapes a value for a field selector: backslashes, commas and equal signs are preceded by a backslash. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

/** Splits at commas that no backslash precedes. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i += (text.codePointAt(i + 1) ?? 0) > 0xffff ? 2 : 1;
    else if (text[i] === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function parseTerm(term: string, selector: string): FieldRequirement {
  const found = /!=|==?/.exec(term);
  if (!found)
    throw new ParseError(`invalid selector: '${excerpt(selector)}'; can't understand '${excerpt(term)}'`);
  const value = unescapeFieldValue(term.slice(found.index + found[0].length));
  return { field: term.slice(0, found.index), operator: found[0] === '!=' ? '!=' : '=', value };
}

/**
 * Unescapes a value.
 * @throws ParseError if a backslash escapes nothing, or a comma or equal sign is not escaped
 */
export function unescapeFieldValue(text: string): string {
  let isEscaped = false;
  // one by one: a replacement by a function looks for all of them before it asks about the first
  for (const [match, escaped] of text.matchAll(/\\([\s\S]?)|[,=]/gu)) {
    if (escaped === undefined)
      throw new ParseError(`invalid field selector: unescaped character in value: ${match.charCodeAt(0)}`);
    if (escaped !== '\\' && escaped !== ',' && escaped !== '=')
      throw new ParseError(`invalid field selector: invalid escape sequence: ${match}`);
    isEscaped = true;
  }
  return isEscaped ? text.replace(/\\([\s\S])/gu, '$1') : text;
}
