import { type JsonValue, setMember } from '@ashlar/core';
import { isContainer, type JsonContainer, type OwnContainer } from './json-container.ts';

export interface SizedCopy {
  /** Complete up to the limit only. */
  readonly value: JsonValue;
  /** Bytes as JSON; above the limit some larger number. */
  readonly size: number;
}

/**
 * A copy of a value with copies of all containers in it.
 * @param limit maximum size in bytes of JSON, beyond which the copy ends
 * @param copyOf makes the copies of single containers
 */
export function copyWithin(
  value: JsonValue,
  limit: number,
  copyOf: (container: JsonContainer) => OwnContainer,
): SizedCopy {
  const whole: JsonValue[] = [value];
  const pending: OwnContainer[] = [whole];
  let size = 0;
  for (let at = pending.pop(); at !== undefined && size <= limit; at = pending.pop()) {
    for (const name of Object.keys(at)) {
      const member = at[name as keyof OwnContainer] as JsonValue | undefined;
      if (!isContainer(member)) {
        size += member === undefined ? 0 : scalarSize(member);
        continue;
      }
      const copy = copyOf(member);
      size += containerSize(copy);
      pending.push(copy);
      setMember(at as Record<string, JsonValue | undefined>, name, copy as JsonValue);
    }
  }
  return { value: whole[0] as JsonValue, size };
}

function scalarSize(value: JsonValue): number {
  return typeof value === 'string' ? textSize(value) : String(value).length;
}

/** Brackets, commas, keys and colons. */
function containerSize(container: OwnContainer): number {
  if (Array.isArray(container)) return Math.max(2, container.length + 1);
  const keys = Object.keys(container);
  return keys.reduce((size, key) => size + textSize(key) + 1, Math.max(2, keys.length + 1));
}

const encoder = new TextEncoder();

function textSize(text: string): number {
  for (let i = 0; i < text.length; i++) {
    if (!isPlain(text.charCodeAt(i))) return escapedSize(text);
  }
  return text.length + 2;
}

/** Whether a character takes one byte in JSON. */
const isPlain = (code: number): boolean => code >= 0x20 && code < 0x80 && code !== 0x22 && code !== 0x5c;

function escapedSize(text: string): number {
  return encoder.encode(JSON.stringify(text)).length;
}
