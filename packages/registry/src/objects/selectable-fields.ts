import { type FieldSelector, goQuote, StatusError } from '@ashlar/core';
import type { ResourceDefinition, ResourceVersion } from '../definition/resource-definition.ts';

/**
 * Checks that a selector only names fields that the kind supports (semantics/list-and-watch#field-selectors).
 * @throws StatusError 400
 */
export function requireSelectableFields(
  definition: ResourceDefinition,
  version: ResourceVersion,
  fields: FieldSelector,
): void {
  for (const { field } of fields.requirements) requireSelectableField(definition, version, field);
}

function requireSelectableField(
  { dialect, scope }: ResourceDefinition,
  { selectableFields }: ResourceVersion,
  field: string,
): void {
  if (field === 'metadata.name' || selectableFields?.names.includes(field)) return;
  const hasNamespace = dialect === 'built-in' ? !selectableFields?.withoutNamespace : scope === 'Namespaced';
  if (field === 'metadata.namespace' && hasNamespace) return;
  if (selectableFields?.kindInErrors)
    throw StatusError.badRequest(
      `field label ${goQuote(field)} not supported for ${selectableFields.kindInErrors}`,
    );
  if (selectableFields || dialect === 'custom')
    throw StatusError.badRequest(`field label not supported: ${field}`);
  throw StatusError.badRequest(
    `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
}
