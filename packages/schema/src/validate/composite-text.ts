import { goNumber, goQuote, isJsonObject, type JsonValue, PrintedValue } from '@ashlar/core';

/** A list or an object as errors print it, with the types that the reference's values have; scalars are left to who prints them. */
export function printedComposite(value: JsonValue): PrintedValue | JsonValue {
  return typeof value === 'object' && value !== null ? new PrintedValue(text(value)) : value;
}

/** Nesting beyond this is not printed: an error message is no place to fail. */
const MOST_LEVELS = 100;

function text(value: JsonValue, level: number = 0): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') return goNumber(value);
  if (level === MOST_LEVELS) return '…';
  if (!isJsonObject(value))
    return `[]interface {}{${value.map((item) => text(item as JsonValue, level + 1)).join(', ')}}`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${goQuote(key)}:${text(value[key] as JsonValue, level + 1)}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}
