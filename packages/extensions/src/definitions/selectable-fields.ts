import type { ApiObject, JsonValue } from '@ashlar/core';
import type { SelectableFields } from '@ashlar/registry';
import { compileJsonPath, JsonPathError } from '@ashlar/schema';
import type { SelectableField } from './custom-resource-definition.ts';

/** The selectable fields, by their paths without the leading dot (semantics/list-and-watch#field-selectors). */
export function selectableFields(declared: readonly SelectableField[]): SelectableFields {
  const readers = new Map(
    declared.map(({ jsonPath }) => [jsonPath.replace(/^\./, ''), fieldReader(jsonPath)]),
  );
  return {
    names: [...readers.keys()],
    pathOf,
    valueOf(object: ApiObject, field: string) {
      const value = readers.get(field)?.(object as unknown as JsonValue);
      return value === undefined || value === null ? '' : String(value);
    },
  };
}

/** Metadata of an embedded object is valid as a whole, or not; other characters may mean something in a path. */
function pathOf(field: string): readonly string[] | undefined {
  const names = field.split('.');
  return names.every((name) => /^[\w-]+$/.test(name) && name !== 'metadata') ? names : undefined;
}

/** Paths of definitions lead to scalars only; a value of another type, stored before, is ignored. */
function fieldReader(jsonPath: string): (object: JsonValue) => JsonValue | undefined {
  const path = compileJsonPath(`{${jsonPath}}`, { allowMissing: true });
  return (object) => {
    try {
      return path.find(object)[0]?.[0];
    } catch (error) {
      if (JsonPathError.is(error)) return undefined;
      throw error;
    }
  };
}
