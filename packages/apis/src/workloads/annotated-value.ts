import {
  ANNOTATIONS_LIMIT_BYTES,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ObjectTooLargeError,
  type Schema,
} from '@ashlar/core';
import { compileTyped, type TypedCodec } from '@ashlar/schema';

/** Maximum objects in such a text: they are read and converted at once, several times within a request. */
const MAXIMUM_OBJECTS = 4_000;

/** Checks that a text of a client is not too long to be read. @throws ObjectTooLargeError */
export function requireReadable(text: string, name: string): void {
  const refuse = (limit: number, problem: string): never => {
    throw new ObjectTooLargeError(limit, `${problem} in annotation ${name}`);
  };
  // one text may be as long as all annotations of an object together
  if (text.length > ANNOTATIONS_LIMIT_BYTES)
    refuse(ANNOTATIONS_LIMIT_BYTES, `more than ${ANNOTATIONS_LIMIT_BYTES} characters`);
  let objects = 0;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    if (++objects > MAXIMUM_OBJECTS) refuse(MAXIMUM_OBJECTS, `more than ${MAXIMUM_OBJECTS} objects`);
  }
}

/**
 * Decodes JSON in annotations as Go does: names may be in any case, unknown members are ignored. A value that is not of the type is ignored
 * as a whole. Undefined for `null`.
 */
export function annotationReader<T extends object>(schema: Schema): (text: string) => T | undefined {
  const decode = annotationDecoder<T>(schema);
  return (text) => {
    try {
      return decode(text);
    } catch {
      return undefined;
    }
  };
}

/**
 * The same where a value that is not of the type is an error.
 * @throws SyntaxError, TypedDecodeError, ObjectTooLargeError
 */
export function annotationDecoder<T extends object>(schema: Schema): (text: string) => T | undefined {
  let compiled: TypedCodec | undefined;
  return (text) => {
    compiled ??= compileTyped(schema);
    let isDeclared = true;
    const report = (): void => {
      isDeclared = false;
    };
    const value: JsonObject | null = compiled.decodeText(text, report);
    if (isDeclared) return (value ?? undefined) as T | undefined;
    return compiled.decode(withDeclaredNames(JSON.parse(text) as JsonValue, schema), () => {}) as T;
  };
}

/** The members that a type declares, by their declared names. */
function withDeclaredNames(value: JsonValue, schema: Schema): JsonValue {
  const { items, properties } = schema;
  if (Array.isArray(value)) return items ? value.map((item) => withDeclaredNames(item, items)) : value;
  if (!isJsonObject(value) || !properties) return value;
  const names = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  const declared: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) {
    const name = names.get(key.toLowerCase());
    if (name !== undefined && member !== undefined)
      declared[name] = withDeclaredNames(member, properties[name] as Schema);
  }
  return declared;
}
