import {
  type ApiObject,
  generateName,
  type MaybePromise,
  randomUuid,
  runInSlices,
  StatusError,
  timestampText,
} from '@ashlar/core';
import type { Change, ObjectRecord } from '@ashlar/storage';
import type { RequestContext, ResultObject } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import { withCanonicalMetadata, withoutSystemMetadata } from '../objects/canonical-object.ts';
import { afterAdmission, isKnownSmall, pauseIfLarge, requireBounded } from '../objects/large-object.ts';
import { withoutDuplicateOwners } from '../objects/owner-references.ts';
import { requireOwnKind, validateCreate } from '../objects/validate-object.ts';
import { withReadableManagers } from '../ownership/readable-managers.ts';
import { isResourceVersion, significantDigits } from './readable-version.ts';
import { allocationOf, type WriteAllocation } from './write-allocation.ts';

/** Attempts to generate a unique name (semantics/metadata#name-and-namespace). */
const NAME_ATTEMPTS = 8;

/** Creates an object (semantics/verbs#create). */
export async function createObject(
  resource: StoredResource,
  context: RequestContext,
  submitted: ApiObject,
): Promise<ResultObject> {
  if (context.isLarge) {
    await requireBounded(resource.ambient, context, submitted);
    await pauseIfLarge(resource.ambient, context);
  }
  const wiped = resetSystemFields(resource, context, submitted);
  const record = recordOwner(resource, context, wiped);
  const owned = record instanceof Promise ? await record : record;
  if (context.isLarge) await pauseIfLarge(resource.ambient, context);
  const admitted = await admitCreate(resource, context, owned);
  const rest = afterAdmission(context, owned, admitted);
  if (rest.isLarge) await pauseIfLarge(resource.ambient, rest);
  const { name, generateName: base } = admitted.metadata;
  const attempts = !name && resource.retriesNames ? NAME_ATTEMPTS : 1;
  const allocation = allocationOf(resource, context);
  for (let attempt = 1; ; attempt++) {
    const object = await completeCreate(resource, rest, admitted, allocation);
    const store = (): Promise<ResultObject> => storeNew(resource, context, object);
    try {
      return await (allocation ? allocation.store(store) : store());
    } catch (error) {
      // who sends a base is told of it, also if the name is the sender's own
      if ((name && !base) || !StatusError.is(error, 'AlreadyExists')) throw error;
      if (attempt === attempts)
        throw StatusError.generateNameExhausted(resource.groupResource, object.metadata.name ?? '');
    }
  }
}

function recordOwner(
  resource: StoredResource,
  context: RequestContext,
  object: ApiObject,
): MaybePromise<ApiObject> {
  const { ownership, ambient, definition } = resource;
  if (context.ownedFields) return ownership.withKnownFields(context, object, context.ownedFields);
  const isSmall = isKnownSmall(definition, context);
  return runInSlices(ownership.updateSteps(context, '', undefined, object, isSmall), ambient);
}

/** Removes fields that only the server sets, and sets the namespace of the request. */
function resetSystemFields(
  resource: StoredResource,
  context: RequestContext,
  submitted: ApiObject,
): ApiObject {
  const reset = withoutSystemMetadata(submitted, resource.namespaced ? context.namespace : undefined);
  return withoutDuplicateOwners(reset, context.warn, false);
}

/** Removes the identity of another object, and sets the namespace of the request; PUT and apply may create what is marked for deletion. */
export function resetIdentity(
  resource: StoredResource,
  context: RequestContext,
  submitted: ApiObject,
): ApiObject {
  const reset = withCanonicalMetadata(submitted, {
    uid: undefined,
    creationTimestamp: undefined,
    namespace: resource.namespaced ? context.namespace : undefined,
  });
  return withoutDuplicateOwners(reset, context.warn, false);
}

/** The first half of a creation: mutating admission. The name may not be generated yet. */
export async function admitCreate(
  resource: StoredResource,
  context: RequestContext,
  object: ApiObject,
): Promise<ApiObject> {
  const name = object.metadata.name ?? '';
  const request = resource.admissionRequest(context, 'CREATE', { name, object });
  const admission = resource.admission.mutate(request);
  const mutated = (admission instanceof Promise ? await admission : admission) ?? object;
  if (mutated === object) return object;
  requireNamespace(resource, context, mutated);
  const completed = await resource.settle(mutated, context.version);
  const readable = { submitted: object, mutated, settled: completed };
  const decoded = await withReadableManagers(resource.ambient, readable, context.warn);
  const settled =
    resource.namespaced && !decoded.metadata.namespace ? inNamespace(decoded, context) : decoded;
  if (context.isLarge) await requireBounded(resource.ambient, context, settled);
  return withoutDuplicateOwners(settled, context.warn, true);
}

/** What admission took from the metadata of an object does not move it. */
const inNamespace = (object: ApiObject, { namespace }: RequestContext): ApiObject =>
  withCanonicalMetadata(object, { namespace });

/** Checks that admission has not moved an object to another namespace. @throws StatusError 400 */
function requireNamespace(
  { namespaced }: StoredResource,
  { namespace }: RequestContext,
  { metadata }: ApiObject,
): void {
  if (!namespaced || !metadata.namespace || metadata.namespace === namespace) return;
  const why = 'the namespace of the provided object does not match the namespace sent on the request';
  throw StatusError.badRequest(why);
}

/** The second half of a creation: identity, preparation by the kind, validation and validating admission. */
export function completeCreate(
  resource: StoredResource,
  context: RequestContext,
  admitted: ApiObject,
  allocation?: WriteAllocation,
): Promise<ApiObject> {
  const { ambient } = resource;
  const identified = withCanonicalMetadata(admitted, {
    name: nameOfNew(resource, admitted),
    uid: randomUuid(ambient.random),
    creationTimestamp: timestampText(ambient.clock.now()),
  });
  const complete = (allocated: ApiObject): Promise<ApiObject> =>
    prepareAndValidate(resource, context, allocated);
  return allocation ? allocation.plan(identified, undefined, complete) : complete(identified);
}

function nameOfNew({ ambient, definition }: StoredResource, { metadata }: ApiObject): string | undefined {
  const { name, generateName: base } = metadata;
  if (name) return name;
  if (base) return generateName(base, ambient.random);
  return definition.strategy.namesNewObjects ? randomUuid(ambient.random) : name;
}

async function prepareAndValidate(
  resource: StoredResource,
  context: RequestContext,
  identified: ApiObject,
): Promise<ApiObject> {
  const { ambient, definition } = resource;
  for (const text of definition.strategy.submissionWarnings?.(identified) ?? []) context.warn(text);
  const ownKind = requireOwnKind(resource, context, identified);
  if (ownKind) await ownKind;
  const { user, version } = context;
  const object = definition.strategy.prepareForCreate?.(identified, user, version) ?? identified;
  if (context.isLarge) await pauseIfLarge(ambient, context);
  await validateCreate(resource, context, object);
  if (context.isLarge) await pauseIfLarge(ambient, context);
  const warnings = definition.strategy.warnings?.(object, undefined, ambient.vocabulary) ?? [];
  for (const text of warnings) context.warn(text);
  const request = resource.admissionRequest(context, 'CREATE', { name: object.metadata.name ?? '', object });
  const admission = resource.admission.validate(request);
  if (admission) await admission;
  if (context.isLarge) await pauseIfLarge(ambient, context);
  return definition.strategy.completeStored?.(object, undefined) ?? object;
}

async function storeNew(
  resource: StoredResource,
  context: RequestContext,
  object: ApiObject,
): Promise<ResultObject> {
  const name = object.metadata.name ?? '';
  const key = resource.key(context.namespace, name);
  if (context.dryRun) {
    requireAbsent(resource, name, await resource.store.get(key));
    return resource.readBack(object, context.version);
  }
  requireNoVersion(object);
  const { record } = await resource.store.update(key, (current) => {
    requireAbsent(resource, name, current);
    return creation(resource, context, object, isStoredIncomplete(resource, object));
  });
  if (!record) throw new TypeError(`the store has no record of ${key}`);
  return resource.toResultWhenLoaded(record, context.version);
}

/** Whether the next write stores an object even if it changes nothing. */
export function isStoredIncomplete(
  { definition: { strategy } }: StoredResource,
  object: ApiObject,
  stored?: ApiObject,
): boolean {
  return strategy.isStoredIncomplete?.(object, stored) === true;
}

/** Returns the change that stores an object. */
export function creation(
  resource: StoredResource,
  context: RequestContext,
  object: ApiObject,
  isProvisional: boolean,
): MaybePromise<Change> {
  const leaseSeconds = resource.definition.strategy.leaseSeconds?.(object);
  const write = (stored: ApiObject): Change => ({
    action: 'write',
    object: stored,
    ...(leaseSeconds && { leaseSeconds }),
    ...(isProvisional && { isProvisional }),
  });
  const stored = resource.toStorage(object, context.version);
  return stored instanceof Promise ? stored.then(write) : write(stored);
}

/** A version that is no unsigned number is ignored, as by the reference server. */
function requireNoVersion({ metadata }: ApiObject): void {
  const { resourceVersion = '' } = metadata;
  if (!isResourceVersion(resourceVersion) || significantDigits(resourceVersion) === '') return;
  throw new StatusError({
    code: 500,
    reason: '',
    message: 'resourceVersion should not be set on objects to be created',
  });
}

function requireAbsent(
  { groupResource }: StoredResource,
  name: string,
  existing: ObjectRecord | undefined,
): void {
  if (!existing) return;
  const { code, reason, message, details } = StatusError.alreadyExists(groupResource, name);
  const text =
    existing.fault || existing.object.metadata.deletionTimestamp === undefined
      ? message
      : `object is being deleted: ${message}`;
  throw new StatusError({ code, reason, message: text, ...(details && { details }) });
}
