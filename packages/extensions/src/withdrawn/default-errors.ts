import { type FieldError, FieldErrors, isJsonObject, type JsonValue } from '@ashlar/core';
import type { CustomResourceDefinition } from '../definitions/custom-resource-definition.ts';
import { sharedParts } from '../definitions/shared-version-parts.ts';

/** Returns an error for every default in the schemas of a definition, which the older version does not allow. */
export function defaultErrors(definition: CustomResourceDefinition, group: string): readonly FieldError[] {
  const { shared, versions } = sharedParts(definition);
  const why = `must not be set (cannot set default values in ${group}/v1beta1 CRDs, must use ${group}/v1)`;
  const errors = (schema: JsonValue | undefined, path: string): readonly FieldError[] =>
    schema === undefined
      ? []
      : pathsOfDefaults(schema, path).map((field) => FieldErrors.forbidden(field, why));
  return [
    ...errors(shared.schema?.openAPIV3Schema, 'spec.validation.openAPIV3Schema'),
    ...versions.flatMap(({ schema }, index) =>
      errors(schema?.openAPIV3Schema, `spec.versions[${index}].schema.openAPIV3Schema`),
    ),
  ];
}

const LISTS = ['allOf', 'anyOf', 'oneOf'];
const SINGLE = ['items', 'additionalProperties', 'not'];

function pathsOfDefaults(root: JsonValue, start: string): readonly string[] {
  const found: string[] = [];
  const open: [JsonValue, string][] = [[root, start]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [schema, path] = next;
    if (!isJsonObject(schema)) continue;
    if (schema.default !== undefined) found.push(`${path}.default`);
    for (const name of SINGLE) {
      const part = schema[name];
      if (part !== undefined) open.push([part, `${path}.${name}`]);
    }
    for (const name of LISTS) {
      const part = schema[name];
      if (!Array.isArray(part)) continue;
      for (const [index, item] of part.entries()) open.push([item, `${path}.${name}[${index}]`]);
    }
    const { properties } = schema;
    if (properties !== undefined && isJsonObject(properties))
      for (const [name, part] of Object.entries(properties))
        if (part !== undefined) open.push([part, `${path}.properties[${name}]`]);
  }
  return found.sort();
}
