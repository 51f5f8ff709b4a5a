import {
  type ApiObject,
  FieldErrors,
  metaGroup,
  type Status,
  StatusError,
  validateDeleteOptions,
} from '@ashlar/core';
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

type DeletionOptions = DeleteRequest & {
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  readonly orphanDependents?: boolean;
  readonly dryRun?: readonly string[];
};

interface Eviction extends ApiObject {
  readonly deleteOptions?: DeletionOptions;
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
  const dryRun = dryRunOf(context, eviction);
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

/** @throws StatusError 500 if request and body say otherwise */
function dryRunOf({ dryRun, options }: RequestContext, { deleteOptions }: Eviction): boolean {
  const own = deleteOptions?.dryRun ?? [];
  const asked = (options?.dryRun ?? []) as readonly string[];
  if (!dryRun || own.length === 0) return dryRun || own.length > 0;
  if (own.join() === asked.join()) return true;
  const message = `Non-matching dry-run options in request and content: ${goStrings(asked)} and ${goStrings(own)}`;
  throw new StatusError({ code: 500, reason: '', message });
}

const goStrings = (texts: readonly string[]): string => `[${texts.join(' ')}]`;

async function readPod(context: RequestContext, name: string, { storage }: ActionObjects): Promise<Pod> {
  if (!storage.get) throw new TypeError('pods cannot be read');
  return objectOf(await storage.get(context, { name }));
}

async function markAndDelete(
  context: RequestContext,
  name: string,
  { deleteOptions = {} }: Eviction,
  { parent, timestamp, ambient }: ActionEnvironment,
): Promise<void> {
  const { storage } = parent;
  if (!storage.delete) throw new TypeError('pods cannot be deleted');
  const errors = validateDeleteOptions(deleteOptions);
  if (errors.length > 0)
    throw StatusError.invalid(metaGroup(ambient.vocabulary), 'DeleteOptions', '', errors);
  const { uid, resourceVersion } = deleteOptions.preconditions ?? {};
  if (!context.dryRun) {
    await parent.change(context, name, (pod) => {
      requireSame(pod, uid, resourceVersion);
      return withCondition(pod, EVICTED, timestamp);
    });
  }
  await storage.delete({ ...context, isAdmitted: true }, name, deletionOf(deleteOptions, context.dryRun));
}

const EVICTED = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
};

/** Returns the options of the deletion; the mark has changed the version that the pod had to have. */
function deletionOf(
  { preconditions, orphanDependents, propagationPolicy, gracePeriodSeconds }: DeletionOptions,
  isUnmarked: boolean,
): DeleteRequest {
  const { uid, resourceVersion } = preconditions ?? {};
  const orphans = orphanDependents === undefined ? undefined : orphanDependents ? 'Orphan' : 'Background';
  const policy = propagationPolicy ?? orphans;
  return {
    preconditions: {
      ...(uid !== undefined && { uid }),
      ...(isUnmarked && resourceVersion !== undefined && { resourceVersion }),
    },
    ...(policy && { propagationPolicy: policy }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  };
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
