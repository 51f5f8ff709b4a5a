import {
  type ApiObject,
  FieldErrors,
  type JsonValue,
  type MaybePromise,
  PrintedValue,
  runInSlices,
  StatusError,
  timestampText,
  valueAt,
} from '@ashlar/core';
import type { Change, ChangeResult, ObjectRecord } from '@ashlar/storage';
import { viewsOf } from '../definition/resource-definition.ts';
import type { RequestContext, ResultObject, UpdateRequest } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import type { SubresourceDefinition } from '../definition/subresource-kinds.ts';
import { withCanonicalMetadata } from '../objects/canonical-object.ts';
import {
  afterAdmission,
  isKnownSmall,
  isLargeRecord,
  pauseIfLarge,
  requireBounded,
} from '../objects/large-object.ts';
import { withoutDuplicateOwners } from '../objects/owner-references.ts';
import { sortedObject } from '../objects/sorted-store.ts';
import { requireOwnKind, validateUpdate } from '../objects/validate-object.ts';
import { changesOnlyOwners } from '../ownership/changes-only-owners.ts';
import { keepManagedFieldTimes } from '../ownership/managed-field-times.ts';
import { admitUpdate } from './admit-update.ts';
import { admitCreate, completeCreate, creation, isStoredIncomplete, resetIdentity } from './create.ts';
import { readableVersion, significantDigits } from './readable-version.ts';
import { SentMetadata } from './sent-metadata.ts';
import { allocationOf, type WriteAllocation } from './write-allocation.ts';

interface UpdateResult {
  readonly answer: ResultObject;
  readonly created: boolean;
}

/** Updates an object for PUT and PATCH: read, change, compare-and-swap, and retry if another write came first (semantics/verbs#update). */
export async function updateObject(
  resource: StoredResource,
  context: RequestContext,
  request: UpdateRequest,
): Promise<UpdateResult> {
  if (context.dryRun) return dryRunUpdate(resource, context, request);
  const key = resource.key(context.namespace, request.name);
  const allocation = request.subresource ? undefined : allocationOf(resource, context);
  let last: PlannedChange | undefined;
  const plan = (current: ObjectRecord | undefined): Promise<Change> =>
    planChange(resource, context, request, current, allocation).then((planned) => {
      last = planned;
      return planned.change;
    });
  const options = context.signal ? { signal: context.signal } : {};
  const store = (): Promise<ChangeResult> => resource.store.update(key, plan, options);
  const { record, previous, outcome } = await (allocation ? storeAllocated(allocation, store) : store());
  if (outcome === 'removed' && record) await resource.allocator?.release(record.object);
  const created = outcome === 'created';
  if (outcome === 'removed' || !record) {
    const removed = submittedObject(last, previous && String(previous.revision));
    const isCustom = resource.definition.dialect === 'custom';
    return { answer: isCustom ? await sortedObject(removed, resource.ambient) : removed, created };
  }
  const answer = resource.toResultWhenLoaded(record, context.version);
  return { answer: answer instanceof Promise ? await answer : answer, created };
}

function storeAllocated(
  allocation: WriteAllocation,
  store: () => Promise<ChangeResult>,
): Promise<ChangeResult> {
  return allocation.store(async () => {
    const result = await store();
    // the changed object is not stored
    if (result.outcome === 'removed') await allocation.revert();
    return result;
  });
}

/** Does everything but the write. */
async function dryRunUpdate(
  resource: StoredResource,
  context: RequestContext,
  request: UpdateRequest,
): Promise<UpdateResult> {
  const current = await resource.store.get(resource.key(context.namespace, request.name));
  const sent = new SentMetadata(request);
  const allocation = request.subresource ? undefined : allocationOf(resource, context);
  const planned = await planChange(resource, context, sent.request, current, allocation);
  const version = current ? String(current.revision) : sent.resourceVersion;
  const received = await resource.readBack(submittedObject(planned, version), context.version);
  return { answer: sent.withLink(received), created: !current };
}

function planChange(
  resource: StoredResource,
  context: RequestContext,
  request: UpdateRequest,
  current: ObjectRecord | undefined,
  allocation: WriteAllocation | undefined,
): Promise<PlannedChange> {
  return current
    ? changeExisting(resource, context, request, current, allocation)
    : createAbsent(resource, context, request, allocation);
}

interface PlannedChange {
  readonly change: Change;
  /** The result in the version of the request. */
  readonly object: ApiObject;
}

/** Returns the submitted object with the resource version of the stored one: the result of dry runs and of updates that remove. */
function submittedObject(planned: PlannedChange | undefined, resourceVersion: string | undefined): ApiObject {
  if (!planned) throw new TypeError('a change was answered before it was made');
  return withCanonicalMetadata(planned.object, { resourceVersion });
}

async function createAbsent(
  resource: StoredResource,
  context: RequestContext,
  request: UpdateRequest,
  allocation: WriteAllocation | undefined,
): Promise<PlannedChange> {
  const { groupResource } = resource;
  // what is not there has no uid
  if (request.uid) throw uidConflict(resource, request.name, request.uid, '');
  if (!mayCreate(resource, request)) throw StatusError.notFound(groupResource, request.name);
  const submitted = await submittedNew(resource, context, request);
  await context.authorizeCreate();
  const admitted = await admitCreate(resource, context, submitted);
  const object = await completeCreate(resource, context, admitted, allocation);
  const isProvisional = isStoredIncomplete(resource, object);
  return { change: await creation(resource, context, object, isProvisional), object };
}

/** Returns the object to create with its field owner; its resource version is ignored. */
async function submittedNew(
  resource: StoredResource,
  context: RequestContext,
  { name, update, apply, subresource = '', isBounded = false }: UpdateRequest,
): Promise<ApiObject> {
  const reset = (object: ApiObject): ApiObject =>
    resetIdentity(resource, context, withCanonicalMetadata(object, { resourceVersion: undefined }));
  if (!apply) {
    const updated = await update(undefined);
    readableVersion(updated.metadata);
    const submitted = reset(updated);
    const isSmall = isBounded && isKnownSmall(resource.definition, context);
    const recorded = resource.ownership.updateSteps(context, subresource, undefined, submitted, isSmall);
    return runInSlices(recorded, resource.ambient);
  }
  const { configuration, force } = apply;
  const isSmall = !context.isLarge;
  const applied = resource.ownership.applySteps(context, subresource, undefined, configuration, {
    force,
    isSmall,
  });
  const merged = await runInSlices(applied, resource.ambient);
  requireNoUid(resource, name, configuration);
  const completed = await runInSlices(apply.completeSteps(merged), resource.ambient);
  readableVersion(completed.metadata);
  return reset(completed);
}

/** Checks that a configuration does not expect an existing object. @throws StatusError 409 */
function requireNoUid({ groupResource }: StoredResource, name: string, configuration: JsonValue): void {
  const uid = valueAt(configuration, ['metadata', 'uid']);
  if (typeof uid !== 'string' || uid === '') return;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw StatusError.conflict(groupResource, name, why);
}

/** Returns the changed object with its field owners. */
async function submittedChange(
  resource: StoredResource,
  context: RequestContext,
  { update, apply, subresource = '', isBounded = false, isPatch = false }: UpdateRequest,
  stored: ApiObject,
  current: ObjectRecord,
): Promise<ApiObject> {
  if (!apply) {
    // the owners of a patched object are compared once, after admission
    const updating = update(stored);
    const updated = updating instanceof Promise ? await updating : updating;
    const submitted = withoutDuplicateOwners(updated, context.warn, isPatch);
    if (context.isLarge) await pauseIfLarge(resource.ambient, context);
    const isSmall = isBounded && isKnownSmall(resource.definition, context, current);
    return resource.computeOwners((ownership) =>
      ownership.updateSteps(context, subresource, stored, submitted, isSmall),
    );
  }
  const { configuration, force } = apply;
  const isSmall = isKnownSmall(resource.definition, context, current);
  const options = { force, isSmall };
  const merging = resource.computeOwners((ownership) =>
    ownership.applySteps(context, subresource, stored, configuration, options),
  );
  const merged = merging instanceof Promise ? await merging : merging;
  // stored objects are complete
  if (merged === stored) return stored;
  // what nothing is applied to stays as it was read, without defaults that only this version has
  const completing = changesOnlyOwners(merged, stored)
    ? merged
    : runInSlices(apply.completeSteps(merged, stored), resource.ambient);
  const completed = completing instanceof Promise ? await completing : completing;
  const owning = resource.ownership.ownedAfterApplySteps(context, subresource, stored, completed, merged);
  const owned = await runInSlices(owning, resource.ambient);
  return withoutDuplicateOwners(owned, context.warn, true);
}

function mayCreate(resource: StoredResource, { createsAbsent, subresource }: UpdateRequest): boolean {
  // the status of a kind whose PUT creates does so too: services
  if (subresource && subresource !== 'status') return false;
  return (
    createsAbsent === 'always' ||
    (createsAbsent === 'if-allowed' && resource.definition.strategy.allowsCreateOnUpdate === true)
  );
}

async function changeExisting(
  resource: StoredResource,
  context: RequestContext,
  request: UpdateRequest,
  current: ObjectRecord,
  allocation: WriteAllocation | undefined,
): Promise<PlannedChange> {
  const isLarge = context.isLarge || isLargeRecord(current);
  const pauseBetween = (): Promise<void> | undefined => pauseIfLarge(resource.ambient, context, current);
  const loading = resource.loadPresent(current, context.version);
  if (loading) await loading;
  const stored = resource.present(current, context.version);
  if (isLarge) await pauseBetween();
  const uid = stored.metadata.uid ?? '';
  if (request.uid && request.uid !== uid) throw uidConflict(resource, request.name, request.uid, uid);
  const subresource = subresourceOf(resource, context, request);
  const submitted = await submittedChange(resource, context, request, stored, current);
  if (isLarge) await pauseBetween();
  const admission = admitUpdate(resource, context, request, stored);
  const mutation = admission.mutate(submitted);
  const admitted = mutation instanceof Promise ? await mutation : mutation;
  if (context.isLarge) await requireBounded(resource.ambient, context, admitted);
  if (isLarge) await pauseBetween();
  const after = afterAdmission(context, submitted, admitted);
  // a small patch of a large object has all of it validated
  const rest = isLarge && !after.isLarge ? { ...after, isLarge } : after;
  requireVersion(resource, request.name, admitted, current);
  const complete = async (allocated: ApiObject): Promise<PlannedChange> => {
    const object = prepare(resource, context, { object: allocated, stored, subresource });
    const ownKind = requireOwnKind(resource, context, object, stored);
    if (ownKind) await ownKind;
    if (rest.isLarge) await pauseIfLarge(resource.ambient, rest);
    await validateUpdate(resource, rest, object, stored, subresource);
    const { strategy } = resource.definition;
    // what a subresource does not change was warned of before
    const warnings = subresource ? [] : strategy.warnings?.(object, stored, resource.ambient.vocabulary);
    for (const text of warnings ?? []) context.warn(text);
    const validation = admission.validate(object);
    if (validation) await validation;
    if (isLarge) await pauseBetween();
    const isTouched = resource.ownership.tracksReplicas(context, request.subresource ?? '');
    const completed = resource.definition.strategy.completeStored?.(object, stored) ?? object;
    const settled = isTouched ? completed : keepManagedFieldTimes(completed, stored);
    if (isLarge) await pauseBetween();
    const isProvisional = isStoredIncomplete(resource, object, stored);
    const change = changeTo(resource, context, settled, stored, isProvisional);
    return { change: change instanceof Promise ? await change : change, object: settled };
  };
  return allocation ? allocation.plan(admitted, stored, complete) : complete(admitted);
}

function subresourceOf(
  resource: StoredResource,
  context: RequestContext,
  { subresource }: UpdateRequest,
): SubresourceDefinition | undefined {
  if (!subresource) return undefined;
  const found = resource.version(context.version).subresources?.find(({ name }) => name === subresource);
  // writes of views are prepared and validated like those of the parent
  const views = viewsOf(resource.definition, resource.version(context.version));
  if (!found && !views.some(({ name }) => name === subresource)) throw StatusError.pathNotFound();
  return found;
}

/** Checks `resourceVersion` by the rules of semantics/metadata#updates. */
function requireVersion(
  resource: StoredResource,
  name: string,
  { metadata }: ApiObject,
  current: ObjectRecord,
): void {
  const version = significantDigits(readableVersion(metadata));
  const { group, names, strategy } = resource.definition;
  if (version !== '') {
    if (version !== String(current.revision)) throw StatusError.modified(resource.groupResource, name);
  } else if (!strategy.allowsUnconditionalUpdate) {
    const error = FieldErrors.invalid(
      'metadata.resourceVersion',
      new PrintedValue('0x0'),
      'must be specified for an update',
    );
    throw StatusError.invalid(group, names.plural, name, [error]);
  }
}

/** Restores system fields, then lets the kind or subresource prepare the object. */
function prepare(
  resource: StoredResource,
  { version }: RequestContext,
  {
    object,
    stored,
    subresource,
  }: { object: ApiObject; stored: ApiObject; subresource: SubresourceDefinition | undefined },
): ApiObject {
  const { metadata } = object;
  const was = stored.metadata;
  const marked = was.deletionTimestamp !== undefined;
  const restored = withCanonicalMetadata(object, {
    uid: metadata.uid || was.uid,
    namespace: was.namespace,
    resourceVersion: was.resourceVersion,
    generation: was.generation,
    creationTimestamp: was.creationTimestamp,
    deletionTimestamp: marked ? was.deletionTimestamp : metadata.deletionTimestamp,
    deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds ?? was.deletionGracePeriodSeconds,
  });
  if (subresource)
    return subresource.prepareForUpdate(restored, stored, timestampText(resource.ambient.clock.now()));
  return resource.definition.strategy.prepareForUpdate?.(restored, stored, version) ?? restored;
}

/** Removes a marked object without finalizers, else writes it (semantics/verbs#update). */
function changeTo(
  resource: StoredResource,
  context: RequestContext,
  object: ApiObject,
  stored: ApiObject,
  isProvisional: boolean,
): MaybePromise<Change> {
  const { strategy } = resource.definition;
  const { deletionGracePeriodSeconds: grace = 0, finalizers = [] } = object.metadata;
  const marked = stored.metadata.deletionTimestamp !== undefined;
  if (marked && grace === 0 && finalizers.length === 0 && !strategy.isHeld?.(object))
    return { action: 'remove' };
  return creation(resource, context, object, isProvisional);
}

function uidConflict(
  { groupResource }: StoredResource,
  name: string,
  required: string,
  found: string,
): StatusError {
  return StatusError.conflict(
    groupResource,
    name,
    `Precondition failed: UID in precondition: ${required}, UID in object meta: ${found}`,
  );
}
