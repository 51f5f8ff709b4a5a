import type { JsonValue, Schema, Steps } from '@ashlar/core';
import type { SpelledNumber } from '../formats/spelled-number.ts';
import type { TypedContext } from './typed-context.ts';

/** A value as the decoder gets it. */
export type TypedInput = JsonValue | SpelledNumber;

/** The compiled decoder of one type. */
export interface TypedNode {
  /** What Go calls the type: `string`, `[]v1.Container`. Asked for in errors only. */
  goType(): string;
  /** What is inside, for the reader of exact texts. */
  readonly shape: TypedShape;
  /** Decodes a value that is there; null too. */
  decode(value: TypedInput, context: TypedContext): JsonValue;
  /** As `decode`, with pauses; of types that hold others. */
  decodeSteps?(value: TypedInput, context: TypedContext): Steps<JsonValue>;
  /** How the zero value is printed. */
  zero(): JsonValue;
  /** Whether a printed value is that of an empty field, which is left out. */
  isEmpty(value: JsonValue): boolean;
  /** Whether null sets the zero value; otherwise it changes nothing. */
  readonly nullResets: boolean;
}

/** Where repeated keys matter and what they merge into. */
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
