import { StatusError } from '@ashlar/core';
import type { RequestContext, UpdateRequest } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import { admitCreate, completeCreate, creation, isStoredIncomplete } from './create.ts';
import type { PlannedChange } from './planned-change.ts';
import { submittedNew } from './submitted-object.ts';
import { requireUid } from './update-preconditions.ts';
import type { WriteAllocation } from './write-allocation.ts';

/** Plans what an update makes of an object that does not exist. @throws StatusError 404 unless it may create it */
export async function createAbsent(
  resource: StoredResource,
  context: RequestContext,
  request: UpdateRequest,
  allocation: WriteAllocation | undefined,
): Promise<PlannedChange> {
  // what is not there has no uid
  requireUid(resource, request, '');
  if (!mayCreate(resource, request)) throw StatusError.notFound(resource.groupResource, request.name);
  const submitted = await submittedNew(resource, context, request);
  await context.authorizeCreate();
  const admitted = await admitCreate(resource, context, submitted);
  const object = await completeCreate(resource, context, admitted, allocation);
  const isProvisional = isStoredIncomplete(resource, object);
  return { change: await creation(resource, context, object, isProvisional), object };
}

function mayCreate(resource: StoredResource, { createsAbsent, subresource }: UpdateRequest): boolean {
  // the status of a kind whose PUT creates does so too: services
  if (subresource && subresource !== 'status') return false;
  return (
    createsAbsent === 'always' ||
    (createsAbsent === 'if-allowed' && resource.definition.strategy.allowsCreateOnUpdate === true)
  );
}
