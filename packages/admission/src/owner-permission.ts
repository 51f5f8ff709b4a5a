import {
  type AuthorizationAttributes,
  type Authorizer,
  goQuote,
  type JsonValue,
  jsonEqual,
  type OwnerReference,
} from '@ashlar/core';
import type { AdmissionPlugin, AdmissionRequest } from './admission-request.ts';
import { forbiddenByAdmission } from './forbidden-by-admission.ts';

/** The resource of a kind. */
export interface OwnerResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

export interface OwnerPermissionOptions {
  readonly authorizer: Authorizer;
  /** Returns the resource of a kind; undefined if it is not served. */
  resourceOf(apiVersion: string, kind: string): OwnerResource | undefined;
}

/**
 * Requires that a user who changes the owners of an object may delete it, and that one who blocks the deletion of an owner may change
 * the finalizers of the owner.
 */
export function createOwnerPermission(options: OwnerPermissionOptions): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    handles: ({ resource, subresource, operation, object, oldObject }) =>
      (operation === 'CREATE' || operation === 'UPDATE') &&
      !(resource.group === '' && resource.resource === 'pods' && subresource === 'status') &&
      !jsonEqual(ownersOf(object) as unknown as JsonValue, ownersOf(oldObject) as unknown as JsonValue),
    async validate(request) {
      if (request.operation === 'UPDATE') await requireDeletion(request, options);
      const blocking = newlyBlocking(request);
      if (
        blocking.length === 0 ||
        (await isRefused(options, finalizersOf(request, EVERYTHING))) === undefined
      )
        return;
      for (const owner of blocking) await requireFinalizers(request, owner, options);
    },
  };
}

const ownersOf = (object: AdmissionRequest['object']): readonly OwnerReference[] =>
  object?.metadata.ownerReferences ?? [];

const EVERYTHING = { apiGroup: '*', apiVersion: '*', resource: '*', namespace: '', name: '*' };

/** Owners whose deletion the object holds up, and did not before. */
function newlyBlocking({ object, oldObject }: AdmissionRequest): readonly OwnerReference[] {
  const before = new Map(ownersOf(oldObject).map((owner) => [owner.uid, owner.blockOwnerDeletion]));
  return ownersOf(object).filter(({ uid, blockOwnerDeletion }) => blockOwnerDeletion && !before.get(uid));
}

async function requireDeletion(request: AdmissionRequest, options: OwnerPermissionOptions): Promise<void> {
  const { resource, subresource, namespace, name, user } = request;
  const { group: apiGroup, version: apiVersion } = resource;
  const target = { apiGroup, apiVersion, resource: resource.resource, subresource, namespace, name };
  const attributes = { user, verb: 'delete', isResourceRequest: true, path: '', ...target };
  const refused = await isRefused(options, attributes);
  if (refused !== undefined)
    throw forbiddenByAdmission(
      request,
      `cannot set an ownerRef on a resource you can't delete: ${refused}, <nil>`,
    );
}

async function requireFinalizers(
  request: AdmissionRequest,
  { apiVersion, kind, name }: OwnerReference,
  options: OwnerPermissionOptions,
): Promise<void> {
  const found = options.resourceOf(apiVersion ?? '', kind ?? '');
  if (!found) {
    const why = `no matches for kind ${goQuote(kind)} in version ${goQuote(apiVersion)}`;
    throw forbiddenByAdmission(
      request,
      `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${why}`,
    );
  }
  const { group: apiGroup, version, resource, namespaced } = found;
  const namespace = namespaced ? request.namespace : '';
  const owner = { apiGroup, apiVersion: version, resource, namespace, name: name ?? '' };
  const refused = await isRefused(options, finalizersOf(request, owner));
  if (refused !== undefined)
    throw forbiddenByAdmission(
      request,
      `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${refused}, <nil>`,
    );
}

const finalizersOf = (
  { user }: AdmissionRequest,
  owner: Pick<AuthorizationAttributes, 'apiGroup' | 'apiVersion' | 'resource' | 'namespace' | 'name'>,
): AuthorizationAttributes => ({
  ...{ user, verb: 'update', subresource: 'finalizers', isResourceRequest: true, path: '' },
  ...owner,
});

/** Why a request is not allowed; undefined if it is. */
async function isRefused(
  { authorizer }: OwnerPermissionOptions,
  attributes: AuthorizationAttributes,
): Promise<string | undefined> {
  const { decision, reason = '' } = await authorizer.authorize(attributes);
  return decision === 'allow' ? undefined : reason;
}
