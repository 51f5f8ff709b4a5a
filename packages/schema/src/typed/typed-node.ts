import type { JsonValue, Schema, Steps } from '@ashlar/core';
import type { SpelledNumber } from '../formats/spelled-number.ts';
import type { TypedContext } from './typed-context.ts';

/** A value as the decoder gets it. */
export type TypedInput = JsonValue | SpelledNumber;

/** The compiled decoder of one type. */
export interface TypedNode {
  /** Returns the name of the Go type, which errors show: `string`, `[]v1.Container`. */
  goType(): string;
  /** Structure of the type, for strict decoding of exact texts. */
  readonly shape: TypedShape;
  /** Decodes a present value, which may be null. */
  decode(value: TypedInput, context: TypedContext): JsonValue;
  /** As `decode`, with pauses; of types that hold others. */
  decodeSteps?(value: TypedInput, context: TypedContext): Steps<JsonValue>;
  /** Returns the printed zero value. */
  zero(): JsonValue;
  /** Whether a printed value is that of an empty field, which is left out. */
  isEmpty(value: JsonValue): boolean;
  /** Whether null sets the zero value; otherwise it changes nothing. */
  readonly nullResets: boolean;
}

/** Structure of a type: where repeated keys are reported, and what they merge into. */
type TypedShape =
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, TypedFieldShape> }
  | { readonly kind: 'map' | 'list'; readonly inside: TypedNode }
  | { readonly kind: 'leaf' };

/** A field of a struct, for the reader of exact texts. */
export interface TypedFieldShape {
  readonly node: TypedNode;
  /** Whether null takes away what an earlier value of the field set. */
  readonly nullResets: boolean;
}

/** Compiles schemas to nodes; a schema object that was met before gives the node that it gave before. */
export type CompileNode = (schema: Schema, path: string) => TypedNode;
