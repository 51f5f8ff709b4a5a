import type { JsonObject } from '@ashlar/core';

/** Returns an object with its defaults; the object itself if nothing is missing. */
export type DefaultRule = (value: JsonObject) => JsonObject;

/** Rules by the name of their type, for defaults that depend on other fields and so are not in the schema. */
export type DefaultRules = Readonly<Record<string, DefaultRule>>;
