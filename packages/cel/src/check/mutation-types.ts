import type { EnvironmentOptions } from '../environment/environment.ts';
import type { ObjectType, ObjectTypeLookup } from './declaration-scope.ts';
import { type CelType, types } from './types.ts';

/** The types that expressions of mutating policies make. */
export const MUTATION_TYPES: { readonly object: CelType; readonly jsonPatch: CelType } = {
  object: types.object('Object'),
  jsonPatch: types.object('JSONPatch'),
};

const PATCH_FIELDS: ReadonlyMap<string, CelType> = new Map([
  ['op', types.string],
  ['path', types.string],
  ['from', types.string],
  ['value', types.dyn],
]);

/**
 * Adds the types of mutating policies to the object types of declarations: `Object` and `Object.spec`, whose fields are not known, and
 * `JSONPatch` (semantics/admission#mutatingadmissionpolicy).
 */
export function withMutationTypes(declarations: EnvironmentOptions): EnvironmentOptions {
  const { objectTypes = [] } = declarations;
  const lookup: ObjectTypeLookup = typeof objectTypes === 'function' ? objectTypes : lookupOf(objectTypes);
  return { ...declarations, objectTypes: (name) => lookup(name) ?? mutationType(name) };
}

function lookupOf(objectTypes: readonly ObjectType[]): ObjectTypeLookup {
  const byName = new Map(objectTypes.map((type) => [type.name, type]));
  return (name) => byName.get(name);
}

function mutationType(name: string): ObjectType | undefined {
  if (name === MUTATION_TYPES.jsonPatch.name) return { name, fieldType: (field) => PATCH_FIELDS.get(field) };
  if (name !== MUTATION_TYPES.object.name && !name.startsWith(`${MUTATION_TYPES.object.name}.`))
    return undefined;
  return { name, fieldType: () => types.dyn };
}
