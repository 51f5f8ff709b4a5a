import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ObjectTooLargeError,
  type Schema,
  type Steps,
} from '@ashlar/core';
import { compileTyped, type TypedCodec } from '@ashlar/schema';

/**
 * Decodes JSON in annotations as Go does: names may be in any case, unknown members are ignored. A value that is not of the type is ignored
 * as a whole. Undefined for `null`.
 * @throws ObjectTooLargeError for more quantities than an object may have
 */
export function annotationReader<T extends object>(schema: Schema): (text: string) => Steps<T | undefined> {
  const decode = annotationDecoder<T>(schema);
  return function* read(text) {
    try {
      return yield* decode(text);
    } catch (error) {
      if (ObjectTooLargeError.is(error)) throw error;
      return undefined;
    }
  };
}

/**
 * The same where a value that is not of the type is an error.
 * @throws SyntaxError, TypedDecodeError, ObjectTooLargeError
 */
export function annotationDecoder<T extends object>(schema: Schema): (text: string) => Steps<T | undefined> {
  let compiled: TypedCodec | undefined;
  return function* decode(text) {
    compiled ??= compileTyped(schema);
    const codec = compiled;
    let isDeclared = true;
    const report = (): void => {
      isDeclared = false;
    };
    const value: JsonObject | null = yield* codec.decodeTextSteps(text, report);
    if (isDeclared) return (value ?? undefined) as T | undefined;
    const declared = yield* declaredNamesSteps(JSON.parse(text) as JsonValue, schema);
    return (yield* codec.decodeSteps(declared, () => {})) as T;
  };
}

/** Items between two pauses, as a mask. */
const STRIDE = 255;

/** The members that a type declares, by their declared names, with pauses between the items of lists. */
function* declaredNamesSteps(value: JsonValue, schema: Schema): Steps<JsonValue> {
  const { items, properties } = schema;
  if (Array.isArray(value) && items) {
    const list: JsonValue[] = [];
    for (const item of value) {
      list.push(yield* declaredNamesSteps(item, items));
      if ((list.length & STRIDE) === STRIDE) yield;
    }
    return list;
  }
  if (!isJsonObject(value) || !properties) return value;
  const names = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  const declared: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) {
    const name = names.get(key.toLowerCase());
    if (name !== undefined && member !== undefined)
      declared[name] = yield* declaredNamesSteps(member, properties[name] as Schema);
  }
  return declared;
}
