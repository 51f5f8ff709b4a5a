import type { ApiObject, ObjectMeta, Steps } from '@ashlar/core';
import type { ApplyRequest, UpdateRequest } from '../definition/resource-storage.ts';

/** What a request may have in its metadata; nothing sets the link any more. */
type SubmittedMetadata = ObjectMeta & { readonly selfLink?: string };

/**
 * The metadata of a write that no stored object takes from its request, and that the response of its dry run has as it was sent
 * (semantics/verbs#update).
 */
export class SentMetadata {
  /** The same request; what it sends is remembered when it is carried out. */
  readonly request: UpdateRequest;
  #metadata: SubmittedMetadata = {};

  constructor(request: UpdateRequest) {
    const { apply, update } = request;
    this.request = apply
      ? { ...request, apply: this.#remembering(apply) }
      : { ...request, update: async (stored) => this.#remember(await update(stored)) };
  }

  /** The version that a request to create had. */
  get resourceVersion(): string | undefined {
    return this.#metadata.resourceVersion;
  }

  /** Returns the object with the link of the request, in its place before the uid. */
  withLink(object: ApiObject): ApiObject {
    const { selfLink } = this.#metadata;
    if (!selfLink) return object;
    const { uid, ...others } = object.metadata;
    const before = namesBefore(object.metadata, 'uid').map((name) => [name, object.metadata[name]]);
    return { ...object, metadata: { ...Object.fromEntries(before), selfLink, uid, ...others } } as ApiObject;
  }

  #remembering(apply: ApplyRequest): ApplyRequest {
    return {
      ...apply,
      completeSteps: (merged, stored) => this.#rememberSteps(apply.completeSteps(merged, stored)),
    };
  }

  *#rememberSteps(completing: Steps<ApiObject>): Steps<ApiObject> {
    return this.#remember(yield* completing);
  }

  #remember(object: ApiObject): ApiObject {
    this.#metadata = object.metadata;
    return object;
  }
}

function namesBefore(metadata: ObjectMeta, last: keyof ObjectMeta): readonly (keyof ObjectMeta)[] {
  const names = Object.keys(metadata) as (keyof ObjectMeta)[];
  return names.slice(0, names.indexOf(last));
}
