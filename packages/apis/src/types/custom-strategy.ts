import {
  type ApiObject,
  type FieldError,
  type JsonValue,
  jsonEqual,
  validateDnsSubdomain,
} from '@ashlar/core';
import {
  type Strategy,
  SUBRESOURCE_VERBS,
  type SubresourceDefinition,
  withCanonicalMetadata,
  withNextGeneration,
} from '@ashlar/registry';
import { finalizerWarnings } from './finalizer-warnings.ts';
import { withStatus } from './with-status.ts';

/** Properties that differ between the types of custom resources. */
export interface CustomRules {
  /** Status is written through the `status` subresource only. */
  readonly hasStatus: boolean;
  /** Changes a part of an object before it is validated and stored. Default: unchanged. */
  complete?(object: ApiObject, part: 'spec' | 'status'): ApiObject;
  /** Validates a new object. */
  validate(object: ApiObject): readonly FieldError[];
  /** Validates an update. */
  validateUpdate(object: ApiObject, stored: ApiObject): readonly FieldError[];
}

/**
 * The strategy of custom types: names are subdomains, every update needs a version, generations are counted
 * (semantics/metadata#generation, #updates, semantics/verbs#subresources).
 */
export function customStrategy({ hasStatus, complete, validate, validateUpdate }: CustomRules): Strategy {
  const completed = (object: ApiObject): ApiObject => {
    const withSpec = complete?.(object, 'spec') ?? object;
    return hasStatus ? withSpec : (complete?.(withSpec, 'status') ?? withSpec);
  };
  return {
    validateName: validateDnsSubdomain,
    allowsUnconditionalUpdate: false,
    prepareForCreate: (object) =>
      withGeneration(completed(hasStatus ? withStatus(object, undefined) : object), 1),
    prepareForUpdate: (object, stored) => {
      const updated = completed(hasStatus ? withStatus(object, stored.status) : object);
      if (!wantsSame(updated, hasStatus, stored)) return withNextGeneration(updated, stored);
      return withGeneration(updated, stored.metadata.generation ?? 0);
    },
    validate,
    validateUpdate,
    warnings: ({ metadata }, stored, vocabulary) =>
      finalizerWarnings(vocabulary, metadata.finalizers, stored?.metadata.finalizers),
  };
}

/** The `status` subresource of custom resources: updates the status, and of the metadata only managedFields (semantics/verbs#subresources). */
export function customStatus({ complete, validateUpdate }: CustomRules): SubresourceDefinition {
  return {
    name: 'status',
    verbs: SUBRESOURCE_VERBS,
    prepareForUpdate: (object, stored) => {
      const { managedFields } = object.metadata;
      const updated = withStatus(withCanonicalMetadata(stored, { managedFields }), object.status);
      return complete?.(updated, 'status') ?? updated;
    },
    validateUpdate,
  };
}

const withGeneration = (object: ApiObject, generation: number): ApiObject =>
  withCanonicalMetadata(object, { generation });

/**
 * Whether two objects have the same desired state: everything except metadata, and status if it is a
 * subresource.
 */
function wantsSame(object: ApiObject, hasStatus: boolean, stored: ApiObject): boolean {
  const part = ({ metadata: _, status, ...rest }: ApiObject): JsonValue =>
    (hasStatus ? rest : { ...rest, status }) as unknown as JsonValue;
  return jsonEqual(part(object), part(stored));
}
