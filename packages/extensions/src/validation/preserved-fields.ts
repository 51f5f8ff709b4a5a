import { type FieldError, FieldErrors, isJsonObject, type JsonValue, type Vocabulary } from '@ashlar/core';
import type { CustomResourceDefinition } from '../definitions/custom-resource-definition.ts';

/** The error of a definition that has defaults although it preserves unknown fields. */
export function preservedDefaults({ spec }: CustomResourceDefinition): readonly FieldError[] {
  if (!spec.preserveUnknownFields) return [];
  const any = (spec.versions ?? []).some(({ schema }) => mentionsDefault(schema?.openAPIV3Schema));
  const text = 'must be false in order to use defaults in the schema';
  return any ? [FieldErrors.invalid('spec.preserveUnknownFields', true, text)] : [];
}

/** Whether a schema has a default. */
function mentionsDefault(schema: JsonValue | undefined): boolean {
  if (Array.isArray(schema)) return schema.some(mentionsDefault);
  if (schema === undefined || !isJsonObject(schema)) return false;
  if (schema.default !== undefined) return true;
  const { properties, items, additionalProperties, allOf, anyOf, oneOf, not } = schema;
  return [items, additionalProperties, allOf, anyOf, oneOf, not, ...Object.values(properties ?? {})].some(
    (part) => mentionsDefault(part as JsonValue | undefined),
  );
}

/** The error of a definition that begins to preserve unknown fields. */
export function preservationErrors(
  { spec }: CustomResourceDefinition,
  stored: CustomResourceDefinition | undefined,
  { extensionPrefix }: Vocabulary,
): readonly FieldError[] {
  if (!spec.preserveUnknownFields || stored?.spec.preserveUnknownFields) return [];
  const text = `cannot set to true, set ${extensionPrefix}preserve-unknown-fields to true in spec.versions[*].schema instead`;
  return [FieldErrors.invalid('spec.preserveUnknownFields', true, text)];
}
