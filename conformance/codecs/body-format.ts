import type { JsonObject, Schema } from '@ashlar/core';
import type { Choices } from './choices.ts';

/** A body, and what is unusual about it; empty if nothing is. */
export interface AskedBody {
  readonly bytes: Uint8Array;
  readonly about: string;
}

/** A kind whose objects are encoded. */
export interface EncodedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: Schema;
}

/** An encoding in which questions are asked. */
export interface BodyFormat {
  readonly mediaType: string;
  /** Media types of responses; those that stand there twice are asked for twice as often. */
  readonly accepts: readonly string[];
  /** Of the bodies of server-side apply, if it has them. */
  readonly applyType?: string;
  /** Whether custom objects have it. */
  readonly hasCustomObjects: boolean;
  /** Undefined if the object has no form in it. */
  encode(kind: EncodedKind, object: JsonObject): Uint8Array | undefined;
  /** The object in a form that few clients send, or that is no correct object any more. */
  unusual(choices: Choices, kind: EncodedKind, object: JsonObject): AskedBody | undefined;
}
