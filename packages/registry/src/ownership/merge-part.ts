import type { ApiObject, JsonObject, JsonValue, Steps } from '@ashlar/core';
import {
  atomicParts,
  type FieldType,
  mergeTypedSteps,
  typedErrorText,
  validateTypedSteps,
  weighAll,
} from '@ashlar/field-manager';

/**
 * Merges a part into an object, as mutating policies do (semantics/admission#mutatingadmissionpolicy): nothing is removed, and what is
 * owned as one stays as it is.
 * @throws Error if the part does not fit to the type, or replaces a list or a map that is owned as one
 */
export function* mergePartSteps(object: ApiObject, part: JsonObject, type: FieldType): Steps<ApiObject> {
  yield* weighAll(object, part);
  const wrong = yield* validateTypedSteps(part, type);
  if (wrong.length > 0)
    throw new Error(`failed to convert patch object to typed object: ${typedErrorText(wrong)}`);
  const atomic = atomicParts(part, type);
  if (atomic.length > 0)
    throw new Error(
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomic.join(', ')}`,
    );
  return (yield* mergeTypedSteps(object as unknown as JsonValue, part, type)) as unknown as ApiObject;
}
