import { writtenUser } from '@ashlar/codec';
import {
  type ApiObject,
  apiVersionOf,
  groupName,
  type JsonObject,
  type JsonValue,
  metaGroup,
  type Vocabulary,
} from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';

/** How a request is shown to a webhook: in one of the versions of its resource. */
export interface ReviewedObjects {
  readonly version: string;
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
}

const OPTIONS = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
  CONNECT: undefined,
} as const;

/** Returns the request of a review without its uid (semantics/admission#admissionreview), which match conditions read too. */
export function reviewRequest(
  request: AdmissionRequest,
  { version, object, oldObject }: ReviewedObjects,
  vocabulary: Vocabulary,
): JsonObject {
  const { kind, resource, subresource, name, namespace, user, operation, versions } = request;
  // the kind of a subresource such as scale is the same in all versions of its parent
  const isOwnKind = kind.group === resource.group && kind.version === resource.version;
  const { name: username, uid, groups, extra } = writtenUser(user);
  const isCustom = versions?.isCustom ?? false;
  return {
    kind: { ...kind, version: isOwnKind ? version : kind.version },
    resource: { ...resource, version },
    ...(subresource && { subResource: subresource }),
    requestKind: { ...kind },
    requestResource: { ...resource },
    ...(subresource && { requestSubResource: subresource }),
    ...(name && { name }),
    ...(namespace && { namespace }),
    operation,
    userInfo: {
      username,
      ...(uid && { uid }),
      ...(groups.length > 0 && { groups: [...groups] }),
      ...(extra && Object.keys(extra).length > 0 && { extra: extra as unknown as JsonObject }),
    },
    object: shown(object, isCustom),
    oldObject: shown(oldObject, isCustom),
    dryRun: request.dryRun,
    options: optionsOf(request, vocabulary),
  };
}

/** Objects of built-in kinds are shown with their empty time of creation. */
function shown(object: ApiObject | undefined, isCustom: boolean): JsonValue {
  if (!object) return null;
  const value = object as unknown as JsonObject;
  // options of connections have no metadata
  if (isCustom || !object.metadata || object.metadata.creationTimestamp !== undefined) return value;
  return { ...value, metadata: { ...(value.metadata as JsonObject), creationTimestamp: null } };
}

function optionsOf({ operation, options = {} }: AdmissionRequest, vocabulary: Vocabulary): JsonValue {
  const kind = OPTIONS[operation];
  if (kind === undefined) return null;
  const set: Record<string, JsonValue | undefined> = { ...options };
  for (const name of ['kind', 'apiVersion', 'force']) delete set[name];
  for (const [name, value] of Object.entries(set))
    if (value === '' || value === undefined || (Array.isArray(value) && value.length === 0)) delete set[name];
  const apiVersion = apiVersionOf({ group: metaGroup(vocabulary), version: 'v1' });
  return { kind, apiVersion, ...set } as JsonObject;
}

/** A review that is sent to a webhook. */
export interface AdmissionReview {
  readonly kind: 'AdmissionReview';
  readonly apiVersion: string;
  readonly request: JsonObject;
}

/** Returns the review in the first version that the webhook and this server know. @throws Error if there is none */
export function admissionReview(
  request: JsonObject,
  uid: string,
  accepted: readonly string[],
  vocabulary: Vocabulary,
): AdmissionReview {
  const version = accepted.find((name) => name === 'v1' || name === 'v1beta1');
  if (version === undefined)
    throw new Error(
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    );
  const apiVersion = apiVersionOf({ group: groupName(vocabulary, 'admission.'), version });
  return { kind: 'AdmissionReview', apiVersion, request: { uid, ...request } };
}
