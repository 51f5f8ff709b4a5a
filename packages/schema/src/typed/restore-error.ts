import { goTypeName, type JsonValue } from '@ashlar/core';

/** The kind of a Go type, whatever its name is. */
export type GoKind = 'string' | 'bool' | 'float64' | 'map' | 'slice' | 'struct' | `${'' | 'u'}int${number}`;

/** The error of a value of a map that is not of a type, which a text with the same value does not have. */
export function restoreError(value: JsonValue, kind: GoKind, goType: string): string {
  const found = kindOf(value);
  if (kind === 'map' || kind === 'slice') return `cannot restore ${kind} from ${found}`;
  if (kind === 'struct') return `cannot restore struct from: ${found}`;
  // Go has a conversion of integers to text, which is not that of JSON
  return kind === 'string' && found === 'int64'
    ? `cannot convert int64 to ${goType}`
    : `unrecognized type: ${kind}`;
}

/** The error of a number of a map that has a fraction, for a type that has none. */
export const fractionError = (goType: string): string => `cannot convert float64 to ${goType}`;

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'slice';
  return typeof value === 'object' && value !== null ? 'map' : goTypeName(value);
}
