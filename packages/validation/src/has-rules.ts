import type { Schema } from '@ashlar/core';

/** Whether some part of a schema has rules; those in combinations count only if there are others. */
export function hasRules(schema: Schema): boolean {
  const { validations, properties, additionalProperties, items } = schema;
  if (validations && validations.length > 0) return true;
  if (items && hasRules(items)) return true;
  if (typeof additionalProperties === 'object' && hasRules(additionalProperties)) return true;
  for (const name in properties) if (hasRules(properties[name] as Schema)) return true;
  return false;
}
