import {
  type ApiObject,
  type FieldError,
  type JsonValue,
  type MaybePromise,
  runInSlices,
  StatusError,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validatePathSegment,
} from '@ashlar/core';
import type { RequestContext } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import type { SubresourceDefinition } from '../definition/subresource-kinds.ts';

/**
 * Validates a new object: the kind's rules and, only if those pass, metadata again with the rule that names are valid path
 * segments (semantics/metadata#updates).
 * @throws StatusError 422
 */
export async function validateCreate(
  resource: StoredResource,
  context: RequestContext,
  object: ApiObject,
): Promise<void> {
  const { strategy } = resource.definition;
  const { validator } = resource.version(context.version);
  const found = metadataErrors(resource, object, strategy.validateName);
  const steps = validator?.validateSteps(jsonOf(object), { found, warn: context.warn });
  const broken = steps ? await runInSlices(steps, resource.ambient) : [];
  const own = await ownErrors(resource, object);
  const errors = [...found, ...broken, ...(own ?? [])];
  refuse(
    resource,
    object,
    errors.length > 0 ? errors : metadataErrors(resource, object, validatePathSegment),
  );
}

/**
 * Validates an update. Metadata is checked by the generic layer and by the kind, so its errors are reported twice; then the
 * schema and rules of the version are checked, and the kind or its subresource.
 * @throws StatusError 422
 */
export async function validateUpdate(
  resource: StoredResource,
  context: RequestContext,
  object: ApiObject,
  stored: ApiObject,
  subresource: SubresourceDefinition | undefined,
): Promise<void> {
  const { strategy } = resource.definition;
  const generic = updateErrors(resource, object, stored);
  const own = subresource
    ? subresource.validateUpdate?.(object, stored)
    : await ownUpdateErrors(resource, object, stored);
  const again = strategy.validatesMetadataAgain
    ? metadataErrors(resource, object, strategy.validateName)
    : [];
  const found = [...generic, ...generic, ...again];
  const broken = await schemaErrors(resource, context, object, stored, { subresource, found });
  refuse(resource, object, [...found, ...broken, ...(own ?? [])]);
}

function ownErrors(
  { definition: { strategy }, ambient }: StoredResource,
  object: ApiObject,
): MaybePromise<readonly FieldError[] | undefined> {
  if (!strategy.validateSteps) return strategy.validate?.(object);
  return runInSlices(strategy.validateSteps(object), ambient);
}

function ownUpdateErrors(
  { definition: { strategy }, ambient }: StoredResource,
  object: ApiObject,
  stored: ApiObject,
): MaybePromise<readonly FieldError[] | undefined> {
  if (!strategy.validateUpdateSteps) return strategy.validateUpdate?.(object, stored);
  return runInSlices(strategy.validateUpdateSteps(object, stored), ambient);
}

/** For a write of the status the schema only validates the status. */
function schemaErrors(
  resource: StoredResource,
  { version, warn }: RequestContext,
  object: ApiObject,
  stored: ApiObject,
  { subresource, found }: { subresource: SubresourceDefinition | undefined; found: readonly FieldError[] },
): MaybePromise<readonly FieldError[]> {
  const { validator } = resource.version(version);
  if (!validator) return [];
  const [value, old] = [jsonOf(object), jsonOf(stored)];
  const steps =
    subresource?.name === 'status'
      ? validator.validateStatusUpdateSteps(value, old, { found, warn })
      : validator.validateUpdateSteps(value, old, { found, warn });
  return runInSlices(steps, resource.ambient);
}

const jsonOf = (object: ApiObject): JsonValue => object as unknown as JsonValue;

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
