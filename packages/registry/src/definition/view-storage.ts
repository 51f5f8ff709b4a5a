import {
  type ApiObject,
  apiVersionOf,
  groupVersionKindText,
  isJsonObject,
  type JsonValue,
  parseApiVersion,
  StatusError,
} from '@ashlar/core';
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
  const show = (answer: ResultObject): ApiObject => view.view(objectOf(answer));
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
    const submitted = await update(stored && (view.viewForUpdate ?? view.view)(stored));
    if (!stored) return submitted;
    requireValid(view, submitted);
    const { resourceVersion, uid } = submitted.metadata;
    const merged = view.merge(submitted, stored);
    // without a resource version the write is unconditional
    const named = { ...(resourceVersion && { resourceVersion }), ...(uid && { uid }) };
    return { ...merged, metadata: { ...merged.metadata, ...named } };
  };
}

/** Converts an apply of the view to an apply of the parent: the same fields with the parent's kind. */
function parentApply(
  { apiVersion, kind }: ViewParent,
  view: ViewSubresource,
  { configuration, force, completeSteps }: ApplyRequest,
): ApplyRequest {
  requireViewKind(view, configuration);
  const named = { ...(configuration as Record<string, JsonValue>), apiVersion, kind };
  return {
    configuration: named,
    force,
    *completeSteps(merged) {
      requireValid(view, yield* completeSteps(view.view(merged)));
      return merged;
    },
  };
}

/** Checks the kind of a configuration. @throws StatusError 400 */
function requireViewKind({ group, version, kind }: ViewSubresource, configuration: JsonValue): void {
  const given = isJsonObject(configuration) ? configuration : {};
  if (typeof given.kind !== 'string' || typeof given.apiVersion !== 'string') return;
  if (given.kind === kind && given.apiVersion === apiVersionOf({ group, version })) return;
  const found = { group: '', version: '', ...parseApiVersion(given.apiVersion), kind: given.kind };
  throw StatusError.badRequest(`invalid object type: ${groupVersionKindText(found)}`);
}

/** Validates a submitted object. @throws StatusError 422 with the view's kind */
function requireValid(view: ViewSubresource, submitted: ApiObject): void {
  const errors = view.validate(submitted);
  if (errors.length > 0)
    throw StatusError.invalid(view.group, view.kind, submitted.metadata.name ?? '', errors);
}
