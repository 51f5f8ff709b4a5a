import { isJsonObject, type JsonValue } from '@ashlar/core';

/**
 * Returns a key for maps and sets that two JSON values share exactly if they are equal. Objects are compared
 * in any order of keys.
 */
export function identityOf(value: JsonValue): JsonValue {
  if (typeof value === 'string') return `"${value}`;
  // Lists and objects differ from strings with the same text.
  return typeof value === 'object' && value !== null ? canonicalText(value) : value;
}

/** Whether no two items are equal. */
export const areDifferent = (list: readonly JsonValue[]): boolean =>
  new Set(list.map(identityOf)).size === list.length;

/** A piece of text between pending values. */
class Spelled {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const COMMA = new Spelled(',');
const END_OF_LIST = new Spelled(']');
const END_OF_OBJECT = new Spelled('}');

/**
 * A text that two values share exactly if they are equal, much like JSON with sorted keys. Deep nesting is
 * safe.
 */
export function canonicalText(value: JsonValue): string {
  let text = '';
  const pending: (JsonValue | Spelled)[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next instanceof Spelled) text += next.text;
    else if (Array.isArray(next)) {
      text += '[';
      pushItems(next, pending);
    } else if (isJsonObject(next)) {
      text += '{';
      pushMembers(next, pending);
    } else text += typeof next === 'bigint' ? `${next}` : JSON.stringify(next);
  }
  return text;
}

/** The last is pushed first. */
function pushItems(list: readonly JsonValue[], pending: (JsonValue | Spelled)[]): void {
  pending.push(END_OF_LIST);
  for (let i = list.length - 1; i >= 0; i--) {
    pending.push(list[i] as JsonValue);
    if (i > 0) pending.push(COMMA);
  }
}

function pushMembers(
  object: { readonly [key: string]: JsonValue | undefined },
  pending: (JsonValue | Spelled)[],
): void {
  pending.push(END_OF_OBJECT);
  const keys = Object.keys(object).sort();
  for (let i = keys.length - 1; i >= 0; i--) {
    const key = keys[i] as string;
    const member = object[key];
    if (member !== undefined) pending.push(member, new Spelled(`,${JSON.stringify(key)}:`));
  }
}
