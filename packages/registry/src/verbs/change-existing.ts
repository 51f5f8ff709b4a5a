import { type ApiObject, type MaybePromise, pause, StatusError, timestampText } from '@ashlar/core';
import type { Change, ObjectRecord } from '@ashlar/storage';
import { viewsOf } from '../definition/resource-definition.ts';
import type { RequestContext, UpdateRequest } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import type { SubresourceDefinition } from '../definition/subresource-kinds.ts';
import { withCanonicalMetadata } from '../objects/canonical-object.ts';
import { afterAdmission, isLargeRecord, requireBounded } from '../objects/large-object.ts';
import { requireOwnKind, validateUpdate } from '../objects/validate-object.ts';
import { keepManagedFieldTimes } from '../ownership/managed-field-times.ts';
import { admitUpdate, type UpdateAdmission } from './admit-update.ts';
import { creation, isStoredIncomplete } from './create.ts';
import type { PlannedChange } from './planned-change.ts';
import { submittedChange } from './submitted-object.ts';
import { requireUid, requireVersion } from './update-preconditions.ts';
import type { WriteAllocation } from './write-allocation.ts';

/** Plans what an update makes of a stored object, with pauses between the steps if it is large, or what was submitted is. */
export async function changeExisting(
  resource: StoredResource,
  context: RequestContext,
  request: UpdateRequest,
  current: ObjectRecord,
  allocation: WriteAllocation | undefined,
): Promise<PlannedChange> {
  const loading = resource.loadPresent(current, context.version);
  if (loading) await loading;
  const stored = resource.present(current, context.version);
  requireUid(resource, request, stored.metadata.uid ?? '');
  const change = new ExistingChange(resource, context, request, { stored, current });
  const admitted = await change.admitted();
  return allocation
    ? allocation.plan(admitted, stored, (allocated) => change.complete(allocated))
    : change.complete(admitted);
}

class ExistingChange {
  readonly #resource: StoredResource;
  readonly #context: RequestContext;
  readonly #request: UpdateRequest;
  readonly #current: ObjectRecord;
  readonly #stored: ApiObject;
  readonly #subresource: SubresourceDefinition | undefined;
  readonly #admission: UpdateAdmission;
  #isLarge: boolean;

  constructor(
    resource: StoredResource,
    context: RequestContext,
    request: UpdateRequest,
    { stored, current }: { readonly stored: ApiObject; readonly current: ObjectRecord },
  ) {
    this.#resource = resource;
    this.#context = context;
    this.#request = request;
    this.#current = current;
    this.#stored = stored;
    this.#subresource = subresourceOf(resource, context, request);
    this.#admission = admitUpdate(resource, context, request, stored);
    this.#isLarge = (context.isLarge ?? false) || isLargeRecord(current);
  }

  /** Returns what was submitted, as admission leaves it. */
  async admitted(): Promise<ApiObject> {
    if (this.#isLarge) await this.#pause();
    const submitted = await submittedChange(
      this.#resource,
      this.#context,
      this.#request,
      this.#stored,
      this.#current,
    );
    if (this.#isLarge) await this.#pause();
    const mutating = this.#admission.mutate(submitted);
    const admitted = mutating instanceof Promise ? await mutating : mutating;
    if (this.#context.isLarge) await requireBounded(this.#resource.ambient, this.#context, admitted);
    if (this.#isLarge) await this.#pause();
    if (afterAdmission(this.#context, submitted, admitted).isLarge) this.#isLarge = true;
    requireVersion(this.#resource, this.#request.name, admitted, this.#current);
    return admitted;
  }

  /** Prepares and validates the admitted object. */
  async complete(admitted: ApiObject): Promise<PlannedChange> {
    const object = preparedUpdate(this.#resource, this.#context, {
      ...{ object: admitted, stored: this.#stored, subresource: this.#subresource },
    });
    await this.#validate(object, this.#submittedKind(admitted));
    if (this.#isLarge) await this.#pause();
    const completed = this.#completed(object);
    if (this.#isLarge) await this.#pause();
    const isProvisional = isStoredIncomplete(this.#resource, object, this.#stored);
    const change = changeTo(this.#resource, this.#context, completed, this.#stored, isProvisional);
    return { change: change instanceof Promise ? await change : change, object: completed };
  }

  #submittedKind({ kind }: ApiObject): string {
    const { dialect, names } = this.#resource.definition;
    return dialect === 'custom' ? kind : names.kind;
  }

  async #validate(object: ApiObject, kind: string): Promise<void> {
    const stored = this.#stored;
    const subresource = this.#subresource;
    const ownKind = requireOwnKind(this.#resource, this.#context, object, stored);
    if (ownKind) await ownKind;
    if (this.#isLarge) await this.#pause();
    // a small patch of a large object has all of it validated
    const context = this.#isLarge ? { ...this.#context, isLarge: true } : this.#context;
    await validateUpdate(this.#resource, context, object, stored, { subresource, kind });
    this.#warn(object);
    const validating = this.#admission.validate(object);
    if (validating) await validating;
  }

  #warn(object: ApiObject): void {
    // what a subresource does not change was warned of before
    if (this.#subresource) return;
    const { definition, ambient } = this.#resource;
    for (const text of definition.strategy.warnings?.(object, this.#stored, ambient.vocabulary) ?? [])
      this.#context.warn(text);
  }

  #completed(object: ApiObject): ApiObject {
    const { definition, ownership } = this.#resource;
    const completed = definition.strategy.completeStored?.(object, this.#stored) ?? object;
    const isTouched = ownership.tracksReplicas(this.#context, this.#request.subresource ?? '');
    return isTouched ? completed : keepManagedFieldTimes(completed, this.#stored);
  }

  #pause(): Promise<void> {
    return pause(this.#resource.ambient);
  }
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

/** Restores system fields, then lets the kind or subresource prepare the object. */
function preparedUpdate(
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
