import type { AdmissionRequest } from '@ashlar/admission';
import { type ApiObject, andThen, type MaybePromise } from '@ashlar/core';
import { viewsOf } from '../definition/resource-definition.ts';
import type { RequestContext, UpdateRequest } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import type { ViewSubresource } from '../definition/subresource-kinds.ts';
import { withoutDuplicateOwners } from '../objects/owner-references.ts';
import { withReadableManagers } from '../ownership/readable-managers.ts';
import { subresourceDecoder, withSubresourceKind } from './subresource-admission.ts';

/** The admission of one update. */
export interface UpdateAdmission {
  /** Returns the object as mutating plugins leave it. */
  mutate(submitted: ApiObject): MaybePromise<ApiObject>;
  /** @throws StatusError of a plugin that rejects the object */
  validate(object: ApiObject): MaybePromise<void>;
}

/** Admits an update of a stored object. Of a view, such as `scale`, plugins see the view and change the view. */
export function admitUpdate(
  resource: StoredResource,
  context: RequestContext,
  { name, subresource = '' }: UpdateRequest,
  stored: ApiObject,
): UpdateAdmission {
  const view = viewNamed(resource, context, subresource);
  const shown = (object: ApiObject): ApiObject => (view?.viewForUpdate ?? view?.view)?.(object) ?? object;
  const requestFor = (submitted: ApiObject): AdmissionRequest => {
    const about = { name, subresource, object: shown(submitted), oldObject: shown(stored) };
    const request = resource.admissionRequest(context, 'UPDATE', about);
    return view ? withSubresourceKind(request, view, resource, request.versions?.others ?? []) : request;
  };
  const settled = (mutated: ApiObject, submitted: ApiObject): MaybePromise<ApiObject> =>
    view
      ? view.merge(subresourceDecoder(view, resource).settle(mutated), submitted)
      : andThen(resource.settle(mutated, context.version), (object) =>
          withReadableManagers(resource.ambient, { submitted, mutated, settled: object }, context.warn),
        );
  return {
    mutate(submitted) {
      const request = requestFor(submitted);
      return andThen(resource.admission.mutate(request), (mutated) =>
        !mutated || mutated === request.object
          ? submitted
          : andThen(settled(mutated, submitted), (object) =>
              withoutDuplicateOwners(object, context.warn, true),
            ),
      );
    },
    validate: (object) => resource.admission.validate(requestFor(object)),
  };
}

function viewNamed(
  resource: StoredResource,
  context: RequestContext,
  subresource: string,
): ViewSubresource | undefined {
  if (subresource === '') return undefined;
  return viewsOf(resource.definition, resource.version(context.version)).find(
    ({ name }) => name === subresource,
  );
}
