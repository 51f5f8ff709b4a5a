import { type Ambient, type ApiObject, type MaybePromise, runInSlices, type Steps } from '@ashlar/core';
import { ManagedFieldsError, Managers } from '@ashlar/field-manager';
import { withCanonicalMetadata } from '../objects/canonical-object.ts';

/** An object before and after mutating admission. */
export interface AdmittedObject {
  readonly submitted: ApiObject;
  /** As plugins left it. */
  readonly mutated: ApiObject;
  /** Decoded once more. */
  readonly settled: ApiObject;
}

/**
 * Returns an object that admission changed. If its managed fields cannot be read any more, it gets back those from before, with a warning
 * (semantics/apply#managers).
 */
export function withReadableManagers(
  ambient: Ambient,
  admitted: AdmittedObject,
  warn: (text: string) => void,
): MaybePromise<ApiObject> {
  const { submitted, mutated, settled } = admitted;
  if (mutated.metadata?.managedFields === submitted.metadata.managedFields) return settled;
  return runInSlices(readableSteps(admitted, warn), ambient);
}

function* readableSteps(
  { submitted, settled }: AdmittedObject,
  warn: (text: string) => void,
): Steps<ApiObject> {
  try {
    yield* Managers.decodeSteps(settled.metadata.managedFields);
    return settled;
  } catch (error) {
    if (!ManagedFieldsError.is(error)) throw error;
    warn(
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${error.message}`,
    );
    return withCanonicalMetadata(settled, { managedFields: submitted.metadata.managedFields });
  }
}
