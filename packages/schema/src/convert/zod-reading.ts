import type { JsonObject } from '@ashlar/core';
import type { ZodSchema } from './zod-type.ts';

/** The conversion of one zod type: its state, and what a schema cannot express. */
export interface ZodReading {
  /** Whether the bounds that every integer of JavaScript has are written, too. */
  readonly safeBounds: boolean;
  /** Types around the one that is read. */
  readonly around: Set<ZodSchema>;
  /** Whether zod has to be asked about values that fit the schema: refinements, patterns, keys of records. */
  needsZod: boolean;
  /** Whether zod changes values: `.trim()`, defaults that are computed for each object. */
  changesValues: boolean;
  read(type: ZodSchema, path: string): JsonObject;
}
