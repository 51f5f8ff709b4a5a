import {
  type ApiObject,
  type FieldError,
  StatusError,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validatePathSegment,
} from '@ashlar/core';
import type { SubresourceDefinition } from './resource-definition.ts';
import type { StoredResource } from './stored-resource.ts';

/**
 * Validates an object that is to be made: the kind's rules and, only when those hold, metadata once more with the rule
 * that every name must fit a path (semantics B7, "Order of checks").
 * @throws StatusError 422
 */
export function validateCreate(resource: StoredResource, object: ApiObject): void {
  const { strategy } = resource.definition;
  const errors = [
    ...metadataErrors(resource, object, strategy.validateName),
    ...(strategy.validate?.(object) ?? []),
  ];
  refuse(
    resource,
    object,
    errors.length > 0 ? errors : metadataErrors(resource, object, validatePathSegment),
  );
}

/**
 * Validates what an object is to become. Metadata is checked by the generic layer and by the kind, so its errors stand twice.
 * @throws StatusError 422
 */
export function validateUpdate(
  resource: StoredResource,
  object: ApiObject,
  stored: ApiObject,
  subresource: SubresourceDefinition | undefined,
): void {
  const { strategy } = resource.definition;
  const generic = updateErrors(resource, object, stored);
  const own = subresource
    ? subresource.validateUpdate?.(object, stored)
    : strategy.validateUpdate?.(object, stored);
  const again = strategy.validatesMetadataAgain
    ? metadataErrors(resource, object, strategy.validateName)
    : [];
  refuse(resource, object, [...generic, ...generic, ...again, ...(own ?? [])]);
}

function metadataErrors(
  resource: StoredResource,
  { metadata }: ApiObject,
  validateName: (name: string, prefix: boolean) => readonly string[],
): readonly FieldError[] {
  return validateObjectMeta(metadata, {
    namespaced: resource.namespaced,
    validateName,
    vocabulary: resource.ambient.vocabulary,
    qualifiedFinalizers: resource.definition.strategy.qualifiedFinalizers ?? false,
  });
}

function updateErrors(resource: StoredResource, object: ApiObject, stored: ApiObject): readonly FieldError[] {
  return validateObjectMetaUpdate(object.metadata, stored.metadata, {
    vocabulary: resource.ambient.vocabulary,
    qualifiedFinalizers: resource.definition.strategy.qualifiedFinalizers ?? false,
  });
}

function refuse(resource: StoredResource, object: ApiObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const { group, names, strategy } = resource.definition;
  throw StatusError.invalid(
    strategy.namesKindWithoutGroup ? '' : group,
    names.kind,
    object.metadata.name ?? '',
    errors,
  );
}
