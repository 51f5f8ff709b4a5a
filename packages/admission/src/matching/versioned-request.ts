import type { ApiObject } from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';
import type { ReviewedObjects } from '../webhooks/admission-review.ts';

/** A request in the versions in which webhooks and policies see it: each is converted once. */
export class VersionedRequest {
  readonly request: AdmissionRequest;
  readonly #objects: Map<string, ReviewedObjects> = new Map();

  constructor(request: AdmissionRequest) {
    this.request = request;
  }

  /** Returns the objects in a version; without a promise if they need no conversion. */
  inVersion(version: string): ReviewedObjects | Promise<ReviewedObjects> {
    const existing = this.#objects.get(version);
    if (existing) return existing;
    const { object, oldObject, resource, versions } = this.request;
    if (version !== resource.version && versions) return this.#convertAll(version);
    const objects = { version, object, oldObject };
    this.#objects.set(version, objects);
    return objects;
  }

  async #convertAll(version: string): Promise<ReviewedObjects> {
    const { object, oldObject } = this.request;
    const objects = {
      version,
      object: object && (await this.#convert(object, version)),
      oldObject: oldObject && (await this.#convert(oldObject, version)),
    };
    this.#objects.set(version, objects);
    return objects;
  }

  async #convert(object: ApiObject, version: string): Promise<ApiObject> {
    const { versions, resource } = this.request;
    return versions ? versions.convert(object, resource.version, version) : object;
  }
}
