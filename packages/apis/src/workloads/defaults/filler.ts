import type { JsonObject, JsonValue } from '@ashlar/core';
import type { Filling } from './filling.ts';

/** Fills an object; returns the object itself if nothing is missing. */
export type Filler = (value: JsonObject, filling: Filling) => JsonObject;

/** Returns the value itself if nothing changes; a large one may be copied all the same. */
export type PartFiller = (value: JsonValue, filling: Filling) => JsonValue;
