import {
  type FunctionDeclaration,
  type Library,
  method,
  named,
  type OverloadCost,
  overload,
} from '../check/declarations.ts';
import { types } from '../check/types.ts';
import { type CallCost, ofResult, readsFirst, sizeOf, textCost } from '../cost/cost-model.ts';
import {
  addRanges,
  type CallEstimator,
  estimateReading,
  exactly,
  multiplyRanges,
  type Range,
  type SizedNode,
  scaleRange,
} from '../cost/estimate-model.ts';
import { work } from '../cost/work.ts';
import { type FormatStyle, formatText } from '../values/format-text.ts';
import { codePointCount, codePoints, pointAt, pointOf, unitOf } from '../values/strings.ts';
import { indexOfPart, lastIndexOfPart, splitByPart } from '../values/text-search.ts';
import { EvaluationError, listItems, typeOfValue, type Value } from '../values/values.ts';
import { elementOf, estimateReplacement, scansText, searchesText } from './text-costs.ts';

const { int, string } = types;
const listOfString = types.list(string);

const outOfRange = (index: Value): EvaluationError => new EvaluationError(`index out of range: ${index}`);

/** Steps per character of a new text: more than per character read, for it takes memory too. */
const STEPS_PER_CHARACTER_MADE = 4;

function charAt(text: string, index: number): Value {
  if (index < 0) return outOfRange(index);
  const unit = unitOf(text, index);
  return unit < 0 ? outOfRange(index) : pointAt(text, unit);
}

function indexOf(text: string, part: string, start: number = 0): Value {
  if (start < 0) return outOfRange(start);
  const from = unitOf(text, start);
  if (from < 0) return part === '' ? codePointCount(text) : -1;
  if (part === '') return start;
  const found = indexOfPart(text, part, from);
  return found < 0 ? -1 : pointOf(text, found);
}

function lastIndexOf(text: string, part: string, start?: number): Value {
  if (start !== undefined && start < 0) return outOfRange(start);
  const size = codePointCount(text);
  if (part === '') return Math.min(start ?? size, size);
  if (start !== undefined && start >= size) return -1;
  const from = start === undefined ? text.length : unitOf(text, start);
  const found = lastIndexOfPart(text, part, from);
  return found < 0 ? -1 : pointOf(text, found);
}

function substring(text: string, start: number, end?: number): Value {
  if (end !== undefined && start > end) {
    return new EvaluationError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  const from = start < 0 ? -1 : unitOf(text, start);
  if (from < 0) return outOfRange(start);
  const to = end === undefined ? text.length : end < 0 ? -1 : unitOf(text, end);
  return to < 0 ? outOfRange(end as number) : text.slice(from, to);
}

function replace(text: string, old: string, replacement: string, limit: number = -1): Value {
  const most = limit < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  if (old === '') return replaceBetween(text, replacement, most);
  return joined(splitAtMost(text, old, most + 1), replacement);
}

/** The empty text is found before every character and at the end. */
function replaceBetween(text: string, replacement: string, limit: number): string {
  const points = codePoints(text);
  workOfMaking(text.length + Math.min(limit, points.length + 1) * replacement.length);
  let result = '';
  for (let i = 0; i <= points.length; i++) result += (i < limit ? replacement : '') + (points[i] ?? '');
  return result;
}

const workOfMaking = (length: number): void => work(length * STEPS_PER_CHARACTER_MADE);

/** Joins parts of a text, counting steps first: a short text may have a result of any length. */
function joined(parts: readonly string[], separator: string): string {
  let length = (parts.length - 1) * separator.length;
  for (const part of parts) length += part.length;
  workOfMaking(length + parts.length);
  return parts.join(separator);
}

function splitAtMost(text: string, separator: string, limit: number): string[] {
  const parts = separator === '' ? [...codePoints(text)] : splitByPart(text, separator);
  if (parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

function split(text: string, separator: string, limit: number = -1): Value {
  if (limit < 0) return separator === '' ? codePoints(text) : splitByPart(text, separator);
  return limit === 0 ? [] : splitAtMost(text, separator, Number(limit));
}

const mapAscii = (pattern: RegExp, change: (letter: string) => string) => (text: string) =>
  text.replace(pattern, change);
const lowerAscii = mapAscii(/[A-Z]+/g, (letters) => letters.toLowerCase());
const upperAscii = mapAscii(/[a-z]+/g, (letters) => letters.toUpperCase());

/** White space as Unicode defines it, which is not quite what JavaScript trims. */
const SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.test(text[start] as string)) start++;
  while (end > start && SPACE.test(text[end - 1] as string)) end--;
  work((text.length - end + start) * STEPS_PER_SPACE);
  return text.slice(start, end);
}

const STEPS_PER_SPACE = 20;

function join(list: Value, separator: string = ''): Value {
  const items = listItems(list) ?? [];
  for (const item of items)
    if (typeof item !== 'string') return new EvaluationError(`join: invalid input: ${shown(item)}`);
  return joined(items as readonly string[], separator);
}

/** Scalars as values, of all others the type: data may be objects without a text. */
const shown = (value: Value): string =>
  typeof value === 'object' && value !== null ? typeOfValue(value).name : String(value);

const QUOTED: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** A text as a literal of the language. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must be escaped
const quote = (text: string): string => `"${text.replace(/[\u0007-\r"\\]/g, (c) => QUOTED[c] as string)}"`;

const reverse = (text: string): string => codePoints(text).toReversed().join('');

const fullResult: OverloadCost = { cost: readsFirst(), estimate: estimateReading(1, true) };
const copies: CallCost = readsFirst(2);

const estimateSplit: CallEstimator = (call) => {
  if (!call.target) return undefined;
  const size = call.sizeOf(call.target);
  const limit = call.arguments[1]?.expression;
  const max =
    limit?.kind === 'constant' && typeof limit.value === 'number' && limit.value >= 0
      ? BigInt(limit.value)
      : size.max;
  return { cost: scaleRange(size, 2 * call.model.text), size: { min: 0n, max } };
};

const joinCost: CallCost = ofResult((_, result, model) => textCost(sizeOf(result) * 2, model));

const oneLess = (range: Range): Range => ({
  min: range.min > 0n ? range.min - 1n : 0n,
  max: range.max > 0n ? range.max - 1n : 0n,
});

const estimateJoin: CallEstimator = (call) => {
  if (!call.target) return undefined;
  const count = call.sizeOf(call.target);
  const element = elementOf(call.target);
  let size = element ? multiplyRanges(count, call.sizeOf(element)) : exactly(0);
  const separator = call.arguments[0] as SizedNode | undefined;
  if (separator) size = addRanges(size, multiplyRanges(call.sizeOf(separator), oneLess(count)));
  return { cost: scaleRange(size, call.model.text), size };
};

const replaces: OverloadCost = { cost: copies, estimate: estimateReplacement };
const splits: OverloadCost = { cost: copies, estimate: estimateSplit };
const joins: OverloadCost = { cost: joinCost, estimate: estimateJoin };
const searches: OverloadCost = { cost: searchesText, estimate: scansText };

function functionsOf(version: number): FunctionDeclaration[] {
  const functions = [
    named('charAt', method('string_char_at_int', [string, int], string, charAt)),
    named(
      'indexOf',
      method('string_index_of_string', [string, string], int, indexOf, searches),
      method('string_index_of_string_int', [string, string, int], int, indexOf, searches),
    ),
    named(
      'lastIndexOf',
      method('string_last_index_of_string', [string, string], int, lastIndexOf, searches),
      method('string_last_index_of_string_int', [string, string, int], int, lastIndexOf, searches),
    ),
    named('lowerAscii', method('string_lower_ascii', [string], string, lowerAscii, fullResult)),
    named('upperAscii', method('string_upper_ascii', [string], string, upperAscii, fullResult)),
    named(
      'replace',
      method('string_replace_string_string', [string, string, string], string, replace, replaces),
      method('string_replace_string_string_int', [string, string, string, int], string, replace, replaces),
    ),
    named(
      'split',
      method('string_split_string', [string, string], listOfString, split, splits),
      method('string_split_string_int', [string, string, int], listOfString, split, splits),
    ),
    named(
      'substring',
      method('string_substring_int', [string, int], string, substring, fullResult),
      method('string_substring_int_int', [string, int, int], string, substring, fullResult),
    ),
    named('trim', method('string_trim', [string], string, trim, fullResult)),
    named(
      'join',
      method('list_join', [listOfString], string, join, joins),
      method('list_join_string', [listOfString, string], string, join, joins),
    ),
  ];
  if (version >= 1) functions.push(...formatting(version >= 4 ? 'plain' : 'localized'));
  if (version >= 3) functions.push(named('reverse', method('string_reverse', [string], string, reverse)));
  return functions;
}

function formatting(style: FormatStyle): FunctionDeclaration[] {
  const format = (text: string, list: Value): Value => formatText(text, listItems(list) ?? [], style);
  return [
    named('format', method('string_format', [string, types.list(types.dyn)], string, format)),
    named('strings.quote', overload('strings_quote', [string], string, quote)),
  ];
}

/**
 * Functions of texts beyond the standard ones. Version 1 adds `format` and `strings.quote`, version 3 `reverse`; from
 * version 4 on `format` writes numbers plainly, before it writes them as English does (`1,234.5`, `1.5×10⁰³`).
 */
export function stringsLibrary(version: number = 4): Library {
  return { name: 'strings', functions: functionsOf(version) };
}
