import { goNumber, isJsonArray, type JsonObject, type JsonValue } from '@ashlar/core';

/** A value as recorded messages print it: `map[a:1 b:[x y]]`, keys sorted, null as `<nil>`. */
export function printGoValue(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (isJsonArray(value)) return `[${value.map(printGoValue).join(' ')}]`;
  if (typeof value === 'object') return printGoMap(value);
  return typeof value === 'number' || typeof value === 'bigint' ? goNumber(value) : String(value);
}

function printGoMap(map: JsonObject): string {
  const members: string[] = [];
  for (const key of Object.keys(map).sort()) {
    const member = map[key];
    if (member !== undefined) members.push(`${key}:${printGoValue(member)}`);
  }
  return `map[${members.join(' ')}]`;
}

/** The Go type that a decoded value has; what messages and the comparison of list items go by. */
export function goTypeName(value: JsonValue): string {
  if (value === null) return '%!s(<nil>)';
  if (isJsonArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'object':
      return 'map[string]interface {}';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      return 'string';
  }
}

/** A value where a message expects a text: anything else is printed with its type. */
export function printAsText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return '%!s(<nil>)';
  if (typeof value === 'object') return printGoValue(value);
  return `%!s(${goTypeName(value)}=${printGoValue(value)})`;
}
