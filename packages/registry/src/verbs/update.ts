import type { Change, ChangeResult, ObjectRecord } from '@ashlar/storage';
import type { RequestContext, ResultObject, UpdateRequest } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import { sortedObject } from '../objects/sorted-store.ts';
import { changeExisting } from './change-existing.ts';
import { createAbsent } from './create-absent.ts';
import { type PlannedChange, submittedObject } from './planned-change.ts';
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
