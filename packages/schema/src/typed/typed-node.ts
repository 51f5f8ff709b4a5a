import type { JsonValue, Schema, Steps } from '@ashlar/core';
import type { SpelledNumber } from '../formats/spelled-number.ts';
import type { TypedContext } from './typed-context.ts';

/** An input value of the decoder. */
export type TypedInput = JsonValue | SpelledNumber;

/** The compiled decoder of one type. */
export interface TypedNode {
  /** Returns the name of the Go type, which errors show: `string`, `[]v1.Container`. */
  goType(): string;
  /** The type of values that are decoded to themselves, each of them; absent where a value may become another. */
  readonly plain?: 'string' | 'boolean';
  /** Structure of the type, for strict decoding of exact texts. */
  readonly shape: TypedShape;
  /** Decodes a present value, which may be null. */
  decode(value: TypedInput, context: TypedContext): JsonValue;
  /** As `decode`, with pauses; only for container types. */
  decodeSteps?(value: TypedInput, context: TypedContext): Steps<JsonValue>;
  /** Returns the printed zero value. */
  zero(): JsonValue;
  /** Whether a printed value is that of an empty field, which is omitted. */
  isEmpty(value: JsonValue): boolean;
  /** Whether null sets the zero value; otherwise it changes nothing. */
  readonly nullResets: boolean;
}

/** Structure of a type: where repeated keys are reported, and how they are merged. */
type TypedShape =
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, TypedFieldShape> }
  | { readonly kind: 'map' | 'list'; readonly inside: TypedNode }
  // a leaf that is decoded from an array as well has items: bytes
  | { readonly kind: 'leaf'; readonly inside?: TypedNode };

/** A field of a struct, for decoding exact texts. */
export interface TypedFieldShape {
  readonly node: TypedNode;
  /** The Go type that has the field. */
  readonly owner: string;
  /** Whether null clears an earlier value of the field. */
  readonly nullResets: boolean;
}

/** Compiles schemas to nodes, cached by schema object. */
export type CompileNode = (schema: Schema, path: string) => TypedNode;
