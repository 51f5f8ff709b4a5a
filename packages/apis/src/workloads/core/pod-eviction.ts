import { type ApiObject, FieldErrors, type Status, StatusError } from '@ashlar/core';
import {
  type ActionEnvironment,
  type ActionObjects,
  type ActionSubresource,
  type DeleteRequest,
  objectOf,
  type RequestContext,
} from '@ashlar/registry';
import { evictionSchema } from '../shapes/core/pod-actions.ts';
import { decrementBudget, isFree } from './disruption-budget.ts';
import { withCondition } from './pod-condition.ts';
import type { Pod } from './pod-types.ts';

interface Eviction extends ApiObject {
  readonly deleteOptions?: DeleteRequest & {
    readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
    readonly orphanDependents?: boolean;
    readonly dryRun?: readonly string[];
  };
}

/** Deletes a pod, if its disruption budget permits (semantics/verbs#subresources). */
export const podEviction: ActionSubresource = {
  name: 'eviction',
  group: 'policy',
  version: 'v1',
  kind: 'Eviction',
  schema: evictionSchema,
  // drains of older clients send the version that they know
  equalVersions: ['policy/v1beta1'],
  create: evictPod,
};

async function evictPod(
  context: RequestContext,
  name: string,
  eviction: Eviction,
  environment: ActionEnvironment,
): Promise<Status> {
  refuseMalformed(eviction, name);
  const dryRun = context.dryRun || (eviction.deleteOptions?.dryRun ?? []).includes('All');
  const evicting = { ...context, dryRun };
  const pod = await readPod(evicting, name, environment.parent);
  if (!isFree(pod)) await decrementBudget(evicting, pod, environment);
  await markAndDelete(evicting, name, eviction, environment);
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

function refuseMalformed({ metadata, deleteOptions }: Eviction, name: string): void {
  if (metadata.name !== name)
    throw StatusError.badRequest('name in URL does not match name in Eviction object');
  if (!deleteOptions?.ignoreStoreReadErrorWithClusterBreakingPotential) return;
  const field = 'deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential';
  const why = 'can not be set for pod eviction, try after removing the option';
  throw StatusError.invalid('policy', 'Eviction', name, [FieldErrors.invalid(field, true, why)]);
}

async function readPod(context: RequestContext, name: string, { storage }: ActionObjects): Promise<Pod> {
  if (!storage.get) throw new TypeError('pods cannot be read');
  return objectOf(await storage.get(context, { name }));
}

async function markAndDelete(
  context: RequestContext,
  name: string,
  { deleteOptions = {} }: Eviction,
  { parent, timestamp }: ActionEnvironment,
): Promise<void> {
  const { storage } = parent;
  if (!storage.delete) throw new TypeError('pods cannot be deleted');
  const mark = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  const {
    preconditions: { uid, resourceVersion } = {},
    propagationPolicy,
    gracePeriodSeconds,
  } = deleteOptions;
  if (!context.dryRun) {
    await parent.change(context, name, (pod) => {
      requireSame(pod, uid, resourceVersion);
      return withCondition(pod, mark, timestamp);
    });
  }
  await storage.delete(context, name, {
    ...(uid && { preconditions: { uid } }),
    ...(propagationPolicy && { propagationPolicy }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  });
}

function requireSame({ metadata }: ApiObject, uid?: string, resourceVersion?: string): void {
  const conflict = (why: string): StatusError =>
    StatusError.conflict({ group: '', resource: 'Pod' }, metadata.name ?? '', why);
  if (uid && uid !== metadata.uid)
    throw conflict(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  if (resourceVersion && resourceVersion !== metadata.resourceVersion)
    throw conflict(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
}
