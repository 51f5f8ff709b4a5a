import { type ApiObject, type MaybePromise, runInSlices } from '@ashlar/core';
import type { ObjectRecord } from '@ashlar/storage';
import type { ApplyRequest, RequestContext, UpdateRequest } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import { withCanonicalMetadata } from '../objects/canonical-object.ts';
import { isKnownSmall, pauseIfLarge } from '../objects/large-object.ts';
import { withoutDuplicateOwners } from '../objects/owner-references.ts';
import { changesOnlyOwners } from '../ownership/changes-only-owners.ts';
import { resetIdentity } from './create.ts';
import { readableVersion } from './readable-version.ts';
import { requireNoUid } from './update-preconditions.ts';

// What a request makes of an object before admission: its content, and who owns its fields.

type ObjectChange = Extract<UpdateRequest, { readonly apply?: undefined }>;
type Application = Extract<UpdateRequest, { readonly update?: undefined }>;

/** Returns the object to create. */
export function submittedNew(
  resource: StoredResource,
  context: RequestContext,
  request: UpdateRequest,
): Promise<ApiObject> {
  return request.apply ? appliedNew(resource, context, request) : changedNew(resource, context, request);
}

async function changedNew(
  resource: StoredResource,
  context: RequestContext,
  { update, subresource = '', isBounded = false }: ObjectChange,
): Promise<ApiObject> {
  const object = asNew(resource, context, await update(undefined));
  const isSmall = isBounded && isKnownSmall(resource.definition, context);
  const recording = resource.ownership.updateSteps(context, subresource, undefined, object, isSmall);
  return runInSlices(recording, resource.ambient);
}

async function appliedNew(
  resource: StoredResource,
  context: RequestContext,
  { name, subresource = '', apply }: Application,
): Promise<ApiObject> {
  const { ambient, ownership } = resource;
  const { configuration, force } = apply;
  const options = { force, isSmall: !context.isLarge };
  const merging = ownership.applySteps(context, subresource, undefined, configuration, options);
  const merged = await runInSlices(merging, ambient);
  requireNoUid(resource, name, configuration);
  return asNew(resource, context, await runInSlices(apply.completeSteps(merged), ambient));
}

/** The resource version of an object that is created is ignored, but must be readable. */
function asNew(resource: StoredResource, context: RequestContext, object: ApiObject): ApiObject {
  readableVersion(object.metadata);
  return resetIdentity(resource, context, withCanonicalMetadata(object, { resourceVersion: undefined }));
}

/** Returns the changed object. */
export function submittedChange(
  resource: StoredResource,
  context: RequestContext,
  request: UpdateRequest,
  stored: ApiObject,
  current: ObjectRecord,
): Promise<ApiObject> {
  const existing = { stored, current };
  return request.apply
    ? appliedChange(resource, context, request, existing)
    : changed(resource, context, request, existing);
}

interface Existing {
  readonly stored: ApiObject;
  readonly current: ObjectRecord;
}

async function changed(
  resource: StoredResource,
  context: RequestContext,
  { update, subresource = '', isBounded = false, isPatch = false }: ObjectChange,
  { stored, current }: Existing,
): Promise<ApiObject> {
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

async function appliedChange(
  resource: StoredResource,
  context: RequestContext,
  { subresource = '', apply }: Application,
  { stored, current }: Existing,
): Promise<ApiObject> {
  const { ambient, definition, ownership } = resource;
  const { configuration, force } = apply;
  const options = { force, isSmall: isKnownSmall(definition, context, current) };
  const merging = resource.computeOwners((owners) =>
    owners.applySteps(context, subresource, stored, configuration, options),
  );
  const merged = merging instanceof Promise ? await merging : merging;
  if (merged === stored) return stored;
  const completing = completedChange(resource, apply, merged, stored);
  const completed = completing instanceof Promise ? await completing : completing;
  const owning = ownership.ownedAfterApplySteps(context, subresource, stored, completed, merged);
  return withoutDuplicateOwners(await runInSlices(owning, ambient), context.warn, true);
}

/** What nothing is applied to stays as it was read, without defaults that only this version has. */
function completedChange(
  { ambient }: StoredResource,
  apply: ApplyRequest,
  merged: ApiObject,
  stored: ApiObject,
): MaybePromise<ApiObject> {
  if (changesOnlyOwners(merged, stored)) return merged;
  return runInSlices(apply.completeSteps(merged, stored), ambient);
}
