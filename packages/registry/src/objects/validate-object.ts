import {
  type ApiObject,
  andThen,
  type FieldError,
  type GroupVersionKind,
  type JsonValue,
  type MaybePromise,
  runInSlices,
  StatusError,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validatePathSegment,
} from '@ashlar/core';
import type { Strategy } from '../definition/resource-definition.ts';
import type { RequestContext } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import type { SubresourceDefinition } from '../definition/subresource-kinds.ts';
import type { UpdateCheck } from '../definition/update-check.ts';
import { checkLabelsAheadSteps } from './labels-ahead.ts';
import { pauseIfLarge } from './large-object.ts';
import { isOfOtherKind, MISSING_VERSION, otherKind } from './object-identity.ts';
import { withoutAnnotations } from './without-annotations.ts';

/**
 * Checks that a custom object is of the kind and version of its endpoint. Others are not checked against the schema, but their embedded
 * resources and lists are, and their rules run. The metadata of an update is checked before.
 * @param stored undefined for a new object
 * @throws StatusError 422; 500 for an object that a patch left without a version
 */
export function requireOwnKind(
  resource: StoredResource,
  context: RequestContext,
  object: ApiObject,
  stored?: ApiObject,
): Promise<never> | undefined {
  const { group, names, dialect } = resource.definition;
  if (dialect !== 'custom') return undefined;
  const expected = { group, version: context.version, kind: names.kind };
  return isOfOtherKind(object, expected)
    ? refuseKind(resource, context, object, expected, stored)
    : undefined;
}

async function refuseKind(
  resource: StoredResource,
  context: RequestContext,
  object: ApiObject,
  expected: GroupVersionKind,
  stored: ApiObject | undefined,
): Promise<never> {
  if (stored && !object.apiVersion) throw StatusError.internalError(new Error(MISSING_VERSION));
  const { validator, subresources = [] } = resource.version(context.version);
  // a status with a subresource of its own is not written here
  const isStatusKept = subresources.some(({ name }) => name === 'status');
  const written = (whole: ApiObject): JsonValue => jsonOf(isStatusKept ? withoutStatus(whole) : whole);
  const { warn } = context;
  const steps = validator?.validateOtherKindSteps(written(object), stored && written(stored), { warn });
  const broken = steps ? await runInSlices(steps, resource.ambient) : [];
  throw otherKind(object, expected, broken, stored && genericErrors(resource, object, stored).found);
}

function withoutStatus({ status: _, ...desired }: ApiObject): ApiObject {
  return desired;
}

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
  if (context.isLarge) await runInSlices(checkLabelsAheadSteps(object), resource.ambient);
  const found = strategy.checksMetadataLast ? [] : metadataErrors(resource, object, strategy);
  if (context.isLarge) await pauseIfLarge(resource.ambient, context);
  const foundOwn = ownErrors(resource, object);
  const own = (foundOwn instanceof Promise ? await foundOwn : foundOwn) ?? NO_ERRORS;
  const steps = validator?.validateSteps(jsonOf(object), { found, own, warn: context.warn });
  const validation = steps ? runInSlices(steps, resource.ambient) : own;
  const broken = validation instanceof Promise ? await validation : validation;
  const errors = [...found, ...broken];
  if (context.isLarge) await pauseIfLarge(resource.ambient, context);
  refuse(
    resource,
    object,
    errors.length > 0
      ? errors
      : metadataErrors(resource, object, {
          qualifiedFinalizers: false,
          validateName: validatePathSegment,
          isKnown: !strategy.checksMetadataLast,
        }),
  );
}

/** What is checked of the metadata of every update, and whether it is valid as a whole. */
interface GenericErrors {
  readonly found: FieldError[];
  readonly isKnown: boolean;
}

function genericErrors(resource: StoredResource, object: ApiObject, stored: ApiObject): GenericErrors {
  const generic = { qualifiedFinalizers: false, validateName: validatePathSegment };
  const found = [...metadataErrors(resource, object, generic)];
  const isKnown = found.length === 0;
  found.push(...updateErrors(resource, object, stored, { qualifiedFinalizers: false, isKnown }));
  return { found, isKnown };
}

/**
 * Validates an update. Metadata is checked as a whole and as a change, and again by the kind or its subresource, so its errors
 * are reported several times; then the schema and rules of the version are checked, and the kind's fields.
 * @throws StatusError 422
 */
export async function validateUpdate(
  resource: StoredResource,
  context: RequestContext,
  object: ApiObject,
  stored: ApiObject,
  { subresource, kind }: WrittenPart,
): Promise<void> {
  const rules: Strategy | SubresourceDefinition = subresource ?? resource.definition.strategy;
  const checks = rules.updateChecks ?? ['metadata-change'];
  if (context.isLarge) await runInSlices(checkLabelsAheadSteps(object), resource.ambient);
  const { found, isKnown } = genericErrors(resource, object, stored);
  for (const check of checks) {
    if (context.isLarge) await pauseIfLarge(resource.ambient, context);
    const errors = CHECKS[check](resource, object, stored, { isKnown, rules });
    for (const error of errors instanceof Promise ? await errors : errors) found.push(error);
  }
  const foundOwn = checks.includes('change') ? NO_ERRORS : changeErrors(resource, rules, object, stored);
  const own = (foundOwn instanceof Promise ? await foundOwn : foundOwn) ?? NO_ERRORS;
  const validation = schemaErrors(resource, context, object, stored, { subresource, found, own });
  const broken = validation instanceof Promise ? await validation : validation;
  refuse(resource, object, [...found, ...broken], kind);
}

/** What an update writes. */
interface WrittenPart {
  /** Absent for the object itself. */
  readonly subresource?: SubresourceDefinition | undefined;
  /** The submitted kind, by which errors name the object: a status may be sent in an object of another kind. */
  readonly kind: string;
}

const CHECKS: Readonly<
  Record<
    UpdateCheck,
    (
      resource: StoredResource,
      object: ApiObject,
      stored: ApiObject,
      known: CheckContext,
    ) => MaybePromise<readonly FieldError[]>
  >
> = {
  metadata: (resource, object, _, { isKnown }) =>
    metadataErrors(resource, object, {
      qualifiedFinalizers: resource.definition.strategy.qualifiedFinalizers,
      validateName: nameRule(resource),
      isKnown,
    }),
  'metadata-change': (resource, object, stored, { isKnown }) => {
    const { qualifiedFinalizers } = resource.definition.strategy;
    return updateErrors(resource, object, stored, { qualifiedFinalizers, isKnown });
  },
  object: (resource, object, stored) => andThen(ownErrors(resource, object, stored), orNone),
  change: (resource, object, stored, { rules }) =>
    andThen(changeErrors(resource, rules, object, stored), orNone),
};

/** What a check is told besides the objects. */
interface CheckContext {
  /** Whether the metadata are valid as a whole. */
  readonly isKnown: boolean;
  /** Of the kind, or of a subresource. */
  readonly rules: Pick<Strategy, 'validateUpdate' | 'validateUpdateSteps'>;
}

const NO_ERRORS: readonly FieldError[] = [];
const orNone = (errors: readonly FieldError[] | undefined): readonly FieldError[] => errors ?? NO_ERRORS;

function ownErrors(
  { definition: { strategy }, ambient }: StoredResource,
  object: ApiObject,
  stored?: ApiObject,
): MaybePromise<readonly FieldError[] | undefined> {
  if (!strategy.validateSteps) return strategy.validate?.(object, stored);
  return runInSlices(strategy.validateSteps(object, stored), ambient);
}

/** @param rules of the kind, or of a subresource */
function changeErrors(
  { ambient }: StoredResource,
  rules: Pick<Strategy, 'validateUpdate' | 'validateUpdateSteps'>,
  object: ApiObject,
  stored: ApiObject,
): MaybePromise<readonly FieldError[] | undefined> {
  if (!rules.validateUpdateSteps) return rules.validateUpdate?.(object, stored);
  return runInSlices(rules.validateUpdateSteps(object, stored), ambient);
}

/** Updates of custom objects do not check the form of names, not even of `generateName`. */
function nameRule({ definition: { dialect, strategy } }: StoredResource): Strategy['validateName'] {
  return dialect === 'custom' ? validatePathSegment : strategy.validateName;
}

/** Returns the errors of the schema with those of the kind. For a write of the status the schema only validates the status. */
function schemaErrors(
  resource: StoredResource,
  { version, warn }: RequestContext,
  object: ApiObject,
  stored: ApiObject,
  { subresource, found, own }: KnownErrors,
): MaybePromise<readonly FieldError[]> {
  const { validator } = resource.version(version);
  if (!validator) return own;
  const [value, old] = [jsonOf(object), jsonOf(stored)];
  const steps =
    subresource?.name === 'status'
      ? validator.validateStatusUpdateSteps(value, old, { found, own, warn })
      : validator.validateUpdateSteps(value, old, { found, own, warn });
  return runInSlices(steps, resource.ambient);
}

/** What is known of a write before its schema is checked. */
interface KnownErrors {
  readonly subresource: SubresourceDefinition | undefined;
  readonly found: readonly FieldError[];
  readonly own: readonly FieldError[];
}

/** Rules of one of the validations of the same metadata. */
interface MetadataRules {
  readonly qualifiedFinalizers?: boolean | undefined;
  /** Whether it has been validated before, without an error: with every rule that the validations share. */
  readonly isKnown?: boolean;
}

const jsonOf = (object: ApiObject): JsonValue => object as unknown as JsonValue;

function metadataErrors(
  resource: StoredResource,
  object: ApiObject,
  {
    validateName,
    qualifiedFinalizers = false,
    isKnown = false,
  }: MetadataRules & Pick<Strategy, 'validateName'>,
): readonly FieldError[] {
  return validateObjectMeta(withoutAnnotations(object.metadata, resource.fieldAnnotations), {
    namespaced: resource.namespaced,
    validateName: (name, prefix) => validateName(name, prefix, object),
    vocabulary: resource.ambient.vocabulary,
    qualifiedFinalizers,
    isKnown,
  });
}

function updateErrors(
  resource: StoredResource,
  object: ApiObject,
  stored: ApiObject,
  { qualifiedFinalizers = false, isKnown = false }: MetadataRules,
): readonly FieldError[] {
  const metadata = withoutAnnotations(object.metadata, resource.fieldAnnotations);
  return validateObjectMetaUpdate(metadata, stored.metadata, {
    vocabulary: resource.ambient.vocabulary,
    qualifiedFinalizers,
    isKnown,
  });
}

function refuse(
  resource: StoredResource,
  object: ApiObject,
  errors: readonly FieldError[],
  kind: string = resource.definition.names.kind,
): void {
  if (errors.length === 0) return;
  const { group, strategy } = resource.definition;
  const shownGroup = strategy.namesKindWithoutGroup ? '' : group;
  throw StatusError.invalid(shownGroup, kind, object.metadata.name ?? '', errors);
}
