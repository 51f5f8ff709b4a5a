import { type ApiObject, isJsonObject, type JsonValue, StatusError, type Steps } from '@ashlar/core';
import type { DecodeRequest } from '@ashlar/registry';
import type { ServedResource } from '../catalog/served-resource.ts';
import { notHandled, withBodyErrorsSteps } from './body-errors.ts';

/**
 * Decodes a CBOR body to an object of the resource. Of the unknown fields of a built-in kind only the first is reported, by the
 * index of its map entry; those of a custom kind are not (semantics/encodings#cbor).
 * @throws StatusError 400
 */
export function* decodeCborObject(
  served: ServedResource,
  bytes: Uint8Array,
  { fieldValidation, warn }: Pick<DecodeRequest, 'fieldValidation' | 'warn'>,
): Steps<ApiObject> {
  const { decoder, definition, apiVersion, cbor } = served;
  const { kind } = definition.names;
  const isBuiltIn = definition.dialect === 'built-in';
  // custom kinds must name their version
  const expected = { kind, apiVersion: isBuiltIn ? apiVersion : '' };
  const value = yield* withBodyErrorsSteps(bytes, expected, cbor.decodeSteps(bytes));
  if (!isBuiltIn || fieldValidation === 'Ignore')
    return yield* decoder.decodeSteps(value, { fieldValidation: 'Ignore', findings: [], warn });
  const paths: string[] = [];
  const collect = (text: string): void => void paths.push(pathOf(text));
  const object = yield* decoder.decodeSteps(value, { fieldValidation: 'Warn', findings: [], warn: collect });
  if (paths.length === 0) return object;
  const text = `cbor: found unknown field at map element index ${unknownEntry(value, paths)}`;
  if (fieldValidation === 'Warn') warn(text);
  else
    throw StatusError.badRequest(`${notHandled({ kind, apiVersion }, kind)}: strict decoding error: ${text}`);
  return object;
}

/** Returns the path in `unknown field "spec.a"`. */
function pathOf(text: string): string {
  return JSON.parse(text.slice(text.indexOf('"'))) as string;
}

/** Returns the index of the first unknown entry in the outermost map that has any. */
function unknownEntry(value: JsonValue | undefined, paths: readonly string[]): number {
  const entries = entriesOf(value);
  const isOwn = (name: string): boolean => paths.includes(name);
  const own = entries.findIndex(([name]) => isOwn(name));
  if (own >= 0) return own;
  for (const [name, member] of entries) {
    const inside = paths.filter((path) => path.startsWith(name) && /^[.[]/.test(path.slice(name.length)));
    if (inside.length > 0)
      return unknownEntry(
        member,
        inside.map((path) => path.slice(name.length).replace(/^\./, '')),
      );
  }
  return 0;
}

function entriesOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue | undefined])[] {
  if (Array.isArray(value)) return value.map((item: JsonValue, i) => [`[${i}]`, item] as const);
  return isJsonObject(value) ? Object.entries(value) : [];
}
