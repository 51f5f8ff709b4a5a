import {
  type ApiObject,
  apiVersionOf,
  groupVersionKindText,
  isJsonObject,
  type JsonValue,
  parseApiVersion,
  StatusError,
  type Steps,
} from '@ashlar/core';
import { fieldPath, toScaleManagedFields } from '@ashlar/field-manager';
import { withCanonicalMetadata } from '../objects/canonical-object.ts';
import {
  type ApplyRequest,
  type ObjectUpdate,
  objectOf,
  type ResourceStorage,
  type ResultObject,
} from './resource-storage.ts';
import type { ViewSubresource } from './subresource-kinds.ts';

/** The resource that a view belongs to. */
interface ViewParent {
  readonly storage: ResourceStorage;
  /** Name of the version in which stored objects are read. */
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
}

/** Creates the verbs of a view: reads convert the parent's object to the view's kind, writes change the parent's object (semantics/verbs#subresources). */
export function createViewStorage(parent: ViewParent, view: ViewSubresource): ResourceStorage {
  const { storage, version } = parent;
  const show = (result: ResultObject): ApiObject => view.view(objectOf(result));
  return {
    async get(context, request) {
      if (!storage.get) throw StatusError.methodNotAllowed();
      try {
        return show(await storage.get({ ...context, version }, request));
      } catch (error) {
        if (!view.missing || !StatusError.is(error, 'NotFound')) throw error;
        throw StatusError.notFound(view.missing, request.name);
      }
    },
    async update(context, request) {
      if (!storage.update) throw StatusError.methodNotAllowed();
      const { createsAbsent: _, update: __, apply: ___, ...rest } = request;
      const change = request.apply
        ? { apply: parentApply(parent, view, request.apply) }
        : { update: parentUpdate(view, request.update) };
      const written = { ...rest, subresource: view.name, ...change };
      const { answer, created } = await storage.update({ ...context, version }, written);
      return { answer: show(answer), created };
    },
  };
}

/** Converts an update of the view to an update of the parent. */
function parentUpdate(view: ViewSubresource, update: ObjectUpdate): ObjectUpdate {
  return async (stored) => {
    const sent = await update(stored && shownForUpdate(view, stored));
    if (!stored) return sent;
    const namespace = sent.metadata.namespace || stored.metadata.namespace;
    const submitted = withCanonicalMetadata(sent, { namespace });
    requireValid(view, submitted);
    return changedParent(view, submitted, stored);
  };
}

/** Returns the view that a patch changes, with the owners of its replicas. */
function shownForUpdate(view: ViewSubresource, stored: ApiObject): ApiObject {
  const shown = (view.viewForUpdate ?? view.view)(stored);
  if (!view.replicasPath) return shown;
  const paths = { [stored.apiVersion]: fieldPath(...view.replicasPath) };
  return withCanonicalMetadata(shown, {
    managedFields: toScaleManagedFields(stored.metadata.managedFields, paths),
  });
}

/** Returns the stored object with a submitted view. @throws StatusError 409 for another uid */
function changedParent(view: ViewSubresource, submitted: ApiObject, stored: ApiObject): ApiObject {
  const { resourceVersion, uid } = submitted.metadata;
  if (view.conflicts && uid && uid !== stored.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored.metadata.uid}`;
    throw StatusError.conflict(view.conflicts, stored.metadata.name ?? '', why);
  }
  const merged = view.merge(submitted, stored);
  // without a resource version the write is unconditional
  return resourceVersion ? { ...merged, metadata: { ...merged.metadata, resourceVersion } } : merged;
}

/** Converts an apply of the view to an apply of the parent: the same fields with the parent's kind, or the replicas alone. */
function parentApply(
  { apiVersion, kind }: ViewParent,
  view: ViewSubresource,
  { configuration, force, completeSteps }: ApplyRequest,
): ApplyRequest {
  if (view.replicasPath)
    return { configuration, force, completeSteps: completeReplicas(view, completeSteps) };
  requireViewKind(view, configuration);
  const named = { ...(configuration as Record<string, JsonValue>), apiVersion, kind };
  return {
    configuration: named,
    force,
    completeSteps: (merged) => withValidView(view, completeSteps(view.view(merged)), merged),
  };
}

function* withValidView(
  view: ViewSubresource,
  completing: Steps<ApiObject>,
  merged: ApiObject,
): Steps<ApiObject> {
  requireValid(view, yield* completing);
  return merged;
}

const completeReplicas =
  (view: ViewSubresource, completeSteps: ApplyRequest['completeSteps']): ApplyRequest['completeSteps'] =>
  (merged, stored) =>
    // views are of objects that exist
    withReplicas(view, completeSteps(merged), stored as ApiObject);

function* withReplicas(
  view: ViewSubresource,
  completing: Steps<ApiObject>,
  stored: ApiObject,
): Steps<ApiObject> {
  const submitted = yield* completing;
  requireValid(view, submitted);
  return changedParent(view, submitted, stored);
}

/** Checks the kind of a configuration. @throws StatusError 400 */
function requireViewKind({ group, version, kind }: ViewSubresource, configuration: JsonValue): void {
  const members = isJsonObject(configuration) ? configuration : {};
  if (typeof members.kind !== 'string' || typeof members.apiVersion !== 'string') return;
  if (members.kind === kind && members.apiVersion === apiVersionOf({ group, version })) return;
  const found = { group: '', version: '', ...parseApiVersion(members.apiVersion), kind: members.kind };
  throw StatusError.badRequest(`invalid object type: ${groupVersionKindText(found)}`);
}

/** Validates a submitted object. @throws StatusError 422 with the view's kind */
function requireValid(view: ViewSubresource, submitted: ApiObject): void {
  const errors = view.validate(submitted);
  if (errors.length > 0)
    throw StatusError.invalid(view.group, view.kind, submitted.metadata.name ?? '', errors);
}
