import { type ApiObject, doneSteps, type FieldError, MAXIMUM_FIELD_ERRORS, type Steps } from '@ashlar/core';
import type { Strategy } from '@ashlar/registry';

export type Validations = Pick<
  Strategy,
  'validate' | 'validateSteps' | 'validateUpdate' | 'validateUpdateSteps'
>;

/** An update of an object, with the errors that the stored object would have as a new one. */
interface Inheritance {
  readonly object: ApiObject;
  readonly stored: ApiObject;
  readonly storedErrors: readonly FieldError[];
}

/**
 * A fault that former releases accepted: an object that is stored with it may keep it, so that it can still be written
 * (semantics/metadata#updates).
 */
export interface InheritedFault {
  /** Whether an error is about the fault. */
  isAbout(error: FieldError, object: ApiObject): boolean;
  isInherited(update: Inheritance): boolean;
}

/** A fault that is inherited from stored objects with an error of a kind; by default of the kind that is forgiven. */
export function inheritedError(
  isAbout: (error: FieldError) => boolean,
  isSign: (error: FieldError) => boolean = isAbout,
): InheritedFault {
  return { isAbout, isInherited: ({ storedErrors }) => storedErrors.some(isSign) };
}

/** The validations of a kind, whose updates may keep faults of the stored object. */
export function inheritingValidations(rules: Validations, faults: readonly InheritedFault[]): Validations {
  const asNew = (object: ApiObject, stored?: ApiObject): Steps<readonly FieldError[]> =>
    rules.validateSteps?.(object, stored) ?? doneSteps(rules.validate?.(object, stored) ?? []);
  function* forgiving(
    errors: readonly FieldError[],
    object: ApiObject,
    stored: ApiObject,
  ): Steps<readonly FieldError[]> {
    const asked = faults.filter(({ isAbout }) => errors.some((error) => isAbout(error, object)));
    // what follows the last error that is counted is not known
    if (asked.length === 0 || errors.length > MAXIMUM_FIELD_ERRORS) return errors;
    const storedErrors = yield* asNew(stored);
    const inherited = asked.filter(({ isInherited }) => isInherited({ object, stored, storedErrors }));
    return errors.filter((error) => !inherited.some(({ isAbout }) => isAbout(error, object)));
  }
  return {
    *validateSteps(object, stored) {
      const errors = yield* asNew(object, stored);
      return stored ? yield* forgiving(errors, object, stored) : errors;
    },
    *validateUpdateSteps(object, stored) {
      const errors = yield* rules.validateUpdateSteps?.(object, stored) ??
        doneSteps(rules.validateUpdate?.(object, stored) ?? []);
      return yield* forgiving(errors, object, stored);
    },
  };
}
