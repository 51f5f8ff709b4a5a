import { type CallCost, readsFirst, sizeOf, textCost } from '../cost-model.ts';
import {
  type FunctionDeclaration,
  type Library,
  method,
  type Overload,
  type OverloadCost,
  overload,
} from '../declarations.ts';
import {
  addRanges,
  type CallEstimator,
  estimateReading,
  exactly,
  multiplyRanges,
  type Range,
  type SizedNode,
  scaleRange,
} from '../estimate-model.ts';
import { type FormatStyle, formatText } from '../format-text.ts';
import { codePoints } from '../strings.ts';
import { types } from '../types.ts';
import { EvaluationError, listItems, typeOfValue, type Value } from '../values.ts';
import { elementOf, estimateReplacement, scansText, searchesText } from './text-costs.ts';

const { int, string } = types;
const listOfString = types.list(string);

const outOfRange = (index: Value): EvaluationError => new EvaluationError(`index out of range: ${index}`);

function charAt(text: string, index: number): Value {
  const points = codePoints(text);
  if (index < 0 || index > points.length) return outOfRange(index);
  return points[index] ?? '';
}

function matchesAt(points: readonly string[], part: readonly string[], start: number): boolean {
  for (let i = 0; i < part.length; i++) if (points[start + i] !== part[i]) return false;
  return true;
}

function indexOf(text: string, part: string, start: number = 0): Value {
  if (start < 0) return outOfRange(start);
  const points = codePoints(text);
  if (part === '') return Math.min(start, points.length);
  const sought = codePoints(part);
  for (let i = start; i <= points.length - sought.length; i++) if (matchesAt(points, sought, i)) return i;
  return -1;
}

function lastIndexOf(text: string, part: string, start?: number): Value {
  const points = codePoints(text);
  if (start !== undefined && start < 0) return outOfRange(start);
  if (part === '') return Math.min(start ?? points.length, points.length);
  if (start !== undefined && start >= points.length) return -1;
  const sought = codePoints(part);
  const last = points.length - sought.length;
  for (let i = Math.min(start ?? last, last); i >= 0; i--) if (matchesAt(points, sought, i)) return i;
  return -1;
}

function substring(text: string, start: number, end?: number): Value {
  const points = codePoints(text);
  const stop = end ?? points.length;
  if (end !== undefined && start > end) {
    return new EvaluationError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0 || start > points.length) return outOfRange(start);
  if (stop < 0 || stop > points.length) return outOfRange(stop);
  return points.slice(start, stop).join('');
}

function replace(text: string, old: string, replacement: string, limit: number = -1): Value {
  if (limit < 0)
    return old === ''
      ? replaceBetween(text, replacement, Number.POSITIVE_INFINITY)
      : text.split(old).join(replacement);
  if (old === '') return replaceBetween(text, replacement, limit);
  const parts = splitAtMost(text, old, Number(limit) + 1);
  return parts.join(replacement);
}

/** The empty text is found before every character and at the end. */
function replaceBetween(text: string, replacement: string, limit: number): string {
  const points = codePoints(text);
  let result = '';
  for (let i = 0; i <= points.length; i++) result += (i < limit ? replacement : '') + (points[i] ?? '');
  return result;
}

function splitAtMost(text: string, separator: string, limit: number): string[] {
  const parts = separator === '' ? [...codePoints(text)] : text.split(separator);
  if (parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

function split(text: string, separator: string, limit: number = -1): Value {
  if (limit < 0) return separator === '' ? codePoints(text) : text.split(separator);
  return limit === 0 ? [] : splitAtMost(text, separator, limit);
}

const mapAscii = (pattern: RegExp, change: (letter: string) => string) => (text: string) =>
  text.replace(pattern, change);
const lowerAscii = mapAscii(/[A-Z]+/g, (letters) => letters.toLowerCase());
const upperAscii = mapAscii(/[a-z]+/g, (letters) => letters.toUpperCase());

/** White space as Unicode defines it, which is not quite what JavaScript trims. */
const SPACE = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const trim = (text: string): string =>
  text.replace(new RegExp(`^${SPACE}+`), '').replace(new RegExp(`(?<!${SPACE})${SPACE}+$`), '');

function join(list: Value, separator: string = ''): Value {
  const items = listItems(list) ?? [];
  for (const item of items)
    if (typeof item !== 'string') return new EvaluationError(`join: invalid input: ${shown(item)}`);
  return items.join(separator);
}

/** Scalars themselves, of all others the type: data may be objects that have no text. */
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
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be escaped
const quote = (text: string): string => `"${text.replace(/[\u0007-\r"\\]/g, (c) => QUOTED[c] as string)}"`;

const reverse = (text: string): string => codePoints(text).toReversed().join('');

const wholeResult: OverloadCost = { cost: readsFirst(), estimate: estimateReading(1, true) };
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

const joinCost: CallCost = (_, result, model) => textCost(sizeOf(result) * 2, model);

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

const named = (name: string, ...overloads: Overload[]): FunctionDeclaration => ({ name, overloads });

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
    named('lowerAscii', method('string_lower_ascii', [string], string, lowerAscii, wholeResult)),
    named('upperAscii', method('string_upper_ascii', [string], string, upperAscii, wholeResult)),
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
      method('string_substring_int', [string, int], string, substring, wholeResult),
      method('string_substring_int_int', [string, int, int], string, substring, wholeResult),
    ),
    named('trim', method('string_trim', [string], string, trim, wholeResult)),
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
