import {
  type ApiObject,
  FOREGROUND_FINALIZER,
  ORPHAN_FINALIZER,
  StatusError,
  timestampText,
} from '@ashlar/core';
import type { Change, ObjectRecord } from '@ashlar/storage';
import type { Strategy } from '../definition/resource-definition.ts';
import type { DeleteRequest, DeleteResult, RequestContext } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import { withCanonicalMetadata } from '../objects/canonical-object.ts';
import { generationAtDeletion } from '../objects/generation.ts';
import { pauseIfLarge } from '../objects/large-object.ts';
import { graceIsOver, markedForDeletion } from './deletion-mark.ts';

/**
 * Deletes an object, or marks it if it has finalizers (semantics/verbs#delete).
 * @param isNameless whether admission requests have no name
 */
export async function deleteObject(
  resource: StoredResource,
  context: RequestContext,
  name: string,
  request: DeleteRequest,
  isNameless: boolean = false,
): Promise<DeleteResult> {
  const key = resource.key(context.namespace, name);
  const plan = (current: ObjectRecord | undefined): Promise<Change> =>
    planDeletion(resource, context, { name, isNameless }, request, current);
  if (context.dryRun) return dryRun(resource, context, await resource.store.get(key), plan);
  const options = context.signal ? { signal: context.signal } : {};
  const { record, outcome } = await resource.store.update(key, plan, options);
  if (!record) throw StatusError.notFound(resource.groupResource, name);
  const removed = outcome === 'removed' ? record : await removeMarked(resource, key, record);
  if (removed) await resource.allocator?.release(removed.object);
  const result = await resource.toResultWhenLoaded(removed ?? record, context.version);
  return { record: result, removed: removed !== undefined };
}

/**
 * Removes an object whose grace period was over when it was marked, so that watchers see the mark before the removal.
 */
async function removeMarked(
  resource: StoredResource,
  key: string,
  { object }: ObjectRecord,
): Promise<ObjectRecord | undefined> {
  if (!isRemovedAtOnce(resource, object)) return undefined;
  const { record, outcome } = await resource.store.update(key, (current) =>
    current &&
    current.object.metadata.uid === object.metadata.uid &&
    isRemovedAtOnce(resource, current.object)
      ? { action: 'remove' }
      : { action: 'keep' },
  );
  return outcome === 'removed' ? record : undefined;
}

const isRemovedAtOnce = ({ definition: { strategy } }: StoredResource, object: ApiObject): boolean =>
  strategy.graceSeconds !== undefined &&
  graceIsOver(object) &&
  (object.metadata.finalizers ?? []).length === 0 &&
  !strategy.isHeld?.(object);

async function dryRun(
  resource: StoredResource,
  context: RequestContext,
  current: ObjectRecord | undefined,
  plan: (current: ObjectRecord | undefined) => Promise<Change>,
): Promise<DeleteResult> {
  const change = await plan(current);
  if (!current) throw new TypeError('the deletion of nothing was planned');
  if (change.action !== 'write')
    return { record: resource.toResult(current, context.version), removed: change.action === 'remove' };
  return {
    record: presentMarked(resource, context, current, change.object),
    removed: isRemovedAtOnce(resource, change.object),
  };
}

/** Returns an object as it would be marked, in the version of the request. */
function presentMarked(
  resource: StoredResource,
  { version }: RequestContext,
  current: ObjectRecord,
  { metadata, ...rest }: ApiObject,
): ApiObject {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers, generation } = metadata;
  const shown = resource.answersRecords(version) ? { ...rest, metadata } : resource.present(current, version);
  return withCanonicalMetadata(shown, {
    ...{ deletionTimestamp, deletionGracePeriodSeconds, finalizers, generation },
    resourceVersion: String(current.revision),
  });
}

async function planDeletion(
  resource: StoredResource,
  context: RequestContext,
  { name, isNameless }: { readonly name: string; readonly isNameless: boolean },
  request: DeleteRequest,
  current: ObjectRecord | undefined,
): Promise<Change> {
  if (!current) throw StatusError.notFound(resource.groupResource, name);
  // an object that cannot be read fails as it does when it is read
  if (current.fault) await resource.store.get(resource.key(context.namespace, name));
  await resource.loadPresent(current, context.version);
  const oldObject = resource.present(current, context.version);
  await pauseIfLarge(resource.ambient, context, current);
  const question = resource.admissionRequest(context, 'DELETE', { name, isNameless, oldObject });
  if (!context.isAdmitted) await resource.admission.mutate(question);
  requirePreconditions(resource, name, request, current);
  if (!context.isAdmitted) await resource.admission.validate(question);
  return deletion(resource, current.object, request);
}

function requirePreconditions(
  resource: StoredResource,
  name: string,
  { preconditions }: DeleteRequest,
  current: ObjectRecord,
): void {
  if (!preconditions) return;
  const { uid, resourceVersion } = preconditions;
  const found = current.object.metadata;
  if (resource.definition.strategy.marksBeforeDeletion) {
    requireUnchanged(resource, name, 'UID', uid, found.uid);
    requireUnchanged(resource, name, 'ResourceVersion', resourceVersion, found.resourceVersion);
    return;
  }
  if (uid !== undefined && uid !== found.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${found.uid}). The object might have been deleted and then recreated`;
    throw kindConflict(resource, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== found.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${found.resourceVersion}). The object might have been modified`;
    throw kindConflict(resource, name, why);
  }
}

/** Reports failed preconditions like those of writes, for kinds whose first deletion is a write. */
function requireUnchanged(
  { groupResource }: StoredResource,
  name: string,
  what: string,
  required: string | undefined,
  found: string | undefined,
): void {
  if (required === undefined || required === found) return;
  const why = `Precondition failed: ${what} in precondition: ${required}, ${what} in object meta: ${found}`;
  throw StatusError.conflict(groupResource, name, why);
}

/** Returns a conflict error with the kind instead of the plural. */
function kindConflict({ definition }: StoredResource, name: string, why: string): StatusError {
  const group = definition.strategy.namesKindWithoutGroup ? '' : definition.group;
  return StatusError.conflict({ group, resource: definition.names.kind }, name, why);
}

/** Returns the change of the stored object. */
function deletion(resource: StoredResource, stored: ApiObject, request: DeleteRequest): Change {
  const { strategy, defaultPropagation } = resource.definition;
  const before = stored.metadata.finalizers ?? [];
  const isMarked = stored.metadata.deletionTimestamp !== undefined;
  if (isMarked && strategy.marksBeforeDeletion && strategy.isHeld?.(stored)) return { action: 'keep' };
  const finalizers = strategy.ignoresPropagation
    ? before
    : withPropagation(before, requestedPolicy(request, strategy), defaultPropagation);
  // what has no time left is deleted like kinds without a grace period: its finalizers may still change
  if (strategy.graceSeconds && !graceIsOver(stored))
    return gracefulDeletion(resource, stored, finalizers, request);
  if (finalizers.length === 0 && !strategy.isHeld?.(stored)) return { action: 'remove' };
  const unchanged = finalizers.length === before.length && finalizers.every((name, i) => name === before[i]);
  if (isMarked) {
    return unchanged
      ? { action: 'keep' }
      : { action: 'write', object: withCanonicalMetadata(stored, { finalizers }) };
  }
  const deletionTimestamp = timestampText(resource.ambient.clock.now());
  const marked = withCanonicalMetadata(stored, { deletionTimestamp, finalizers });
  return { action: 'write', object: (strategy.markDeleted ?? markDeleted)(marked) };
}

/** Returns the change for kinds with a grace period: marks the object, or shortens a pending deletion. */
function gracefulDeletion(
  resource: StoredResource,
  stored: ApiObject,
  finalizers: readonly string[],
  { gracePeriodSeconds }: DeleteRequest,
): Change {
  const marked = markedForDeletion(resource, stored, gracePeriodSeconds);
  if (!marked) return { action: 'keep' };
  return { action: 'write', object: withCanonicalMetadata(marked, { finalizers }) };
}

function markDeleted(object: ApiObject): ApiObject {
  return withCanonicalMetadata(object, {
    deletionGracePeriodSeconds: 0,
    generation: generationAtDeletion(object),
  });
}

function requestedPolicy(
  { propagationPolicy, orphanDependents }: DeleteRequest,
  { foregroundWithoutOrphans }: Strategy,
): DeleteRequest['propagationPolicy'] {
  return foregroundWithoutOrphans && orphanDependents === false ? 'Foreground' : propagationPolicy;
}

/**
 * Sets the finalizers of the garbage collector by the policy; without a policy they stay, and without finalizers the kind decides.
 */
function withPropagation(
  finalizers: readonly string[],
  requested: DeleteRequest['propagationPolicy'],
  byDefault: DeleteRequest['propagationPolicy'],
): readonly string[] {
  const policy = requested ?? (finalizers.some(isPropagation) ? undefined : byDefault);
  if (!policy) return finalizers;
  const finalizer = { Foreground: FOREGROUND_FINALIZER, Orphan: ORPHAN_FINALIZER, Background: undefined }[
    policy
  ];
  const remaining = finalizers.filter((name) => !isPropagation(name) || name === finalizer);
  return finalizer && !remaining.includes(finalizer) ? [...remaining, finalizer] : remaining;
}

const isPropagation = (name: string): boolean => name === FOREGROUND_FINALIZER || name === ORPHAN_FINALIZER;
