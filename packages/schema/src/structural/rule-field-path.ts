import { GO_ESCAPES, type Schema } from '@ashlar/core';

const NAME = /\.([^.[\]]+)/y;
const QUOTED = /\['((?:[^\\]|\\[\s\S])*?)'\]/y;
const ESCAPES: Readonly<Record<string, string>> = {
  ...GO_ESCAPES,
  "'": "'",
  '"': '"',
};

/**
 * Resolves the `fieldPath` of a rule (`.a.b`, `['a-b']`) in its schema. Returns it as error paths have it,
 * `.a.b` for fields and `[key]` for keys of a map; undefined if the schema has no such field
 * (semantics/schemas#rules).
 */
export function readRuleFieldPath(text: string, schema: Schema): string | undefined {
  let path = '';
  let at: Schema | undefined = schema;
  for (let index = 0; index < text.length; ) {
    const step = stepAt(text, index);
    if (!step || !at) return undefined;
    const property: Schema | undefined = propertyOf(at, step.name);
    at = property ?? (hasProperties(at) ? undefined : additionalOf(at));
    if (!at) return undefined;
    path += property ? `.${step.name}` : `[${step.name}]`;
    index = step.end;
  }
  return path;
}

function stepAt(text: string, index: number): { readonly name: string; readonly end: number } | undefined {
  for (const pattern of [NAME, QUOTED]) {
    pattern.lastIndex = index;
    const match = pattern.exec(text);
    const name = match && (pattern === NAME ? match[1] : unescapeText(match[1] as string));
    if (name !== null && name !== undefined) return { name, end: pattern.lastIndex };
  }
  return undefined;
}

function unescapeText(text: string): string | undefined {
  let isValid = true;
  const unescaped = text.replace(/\\([\s\S])/g, (_, character: string) => {
    isValid &&= ESCAPES[character] !== undefined;
    return ESCAPES[character] ?? '';
  });
  return isValid ? unescaped : undefined;
}

/** Counting many properties takes long; they are counted only if there could be others. */
const hasProperties = ({ properties = {}, additionalProperties }: Schema): boolean =>
  typeof additionalProperties !== 'object' || Object.keys(properties).length > 0;

const propertyOf = ({ properties = {} }: Schema, name: string): Schema | undefined =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;

const additionalOf = ({ additionalProperties }: Schema): Schema | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined;
