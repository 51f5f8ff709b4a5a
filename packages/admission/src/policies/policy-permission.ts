import {
  type ApiObject,
  type AuthorizationAttributes,
  type Authorizer,
  FieldErrors,
  groupName,
  type JsonValue,
  jsonEqual,
  parseApiVersion,
  StatusError,
  type Vocabulary,
} from '@ashlar/core';
import type { AdmissionPlugin, AdmissionRequest } from '../admission-request.ts';
import type { ParamKind, Policy, PolicyBinding } from './policy-objects.ts';
import type { FindParameters } from './policy-parameters.ts';

const POLICIES: ReadonlySet<string> = new Set(['validatingadmissionpolicies', 'mutatingadmissionpolicies']);
const BINDINGS: ReadonlySet<string> = new Set([
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicybindings',
]);

export interface PolicyPermissionOptions {
  readonly vocabulary: Vocabulary;
  readonly authorizer: Authorizer;
  readonly parameters: FindParameters;
  /** Returns a stored policy. @param plural of its resource */
  policy(plural: string, name: string): ApiObject | undefined | Promise<ApiObject | undefined>;
}

/**
 * Requires that the author of a policy or a binding may read its parameters: messages could disclose them
 * (semantics/admission#validatingadmissionpolicy).
 */
export function createPolicyPermission(options: PolicyPermissionOptions): AdmissionPlugin {
  const group = groupName(options.vocabulary, 'admissionregistration.');
  return {
    name: 'PolicyPermission',
    handles: ({ operation, resource, subresource }) =>
      resource.group === group &&
      subresource === '' &&
      (operation === 'CREATE' || operation === 'UPDATE') &&
      (POLICIES.has(resource.resource) || BINDINGS.has(resource.resource)),
    validate(request) {
      const { object, oldObject, resource } = request;
      const isPolicy = POLICIES.has(resource.resource);
      return isPolicy
        ? requireKind(request, object as Policy, oldObject, options)
        : requireParameters(request, object as PolicyBinding, oldObject, options);
    },
  };
}

async function requireKind(
  request: AdmissionRequest,
  { spec }: Policy,
  stored: Policy | undefined,
  options: PolicyPermissionOptions,
): Promise<void> {
  const { paramKind } = spec ?? {};
  if (!paramKind || (stored && same(paramKind, stored.spec?.paramKind))) return;
  const reference = { verb: 'get', namespace: '*', name: '*', ...resourceOf(paramKind, options) };
  if (await isAllowed(request, reference, options)) return;
  const { apiVersion = '', kind = '' } = paramKind;
  const why = `must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
  throw refused(request, 'spec.paramKind', why);
}

async function requireParameters(
  request: AdmissionRequest,
  { spec }: PolicyBinding,
  stored: PolicyBinding | undefined,
  options: PolicyPermissionOptions,
): Promise<void> {
  const { paramRef, policyName = '' } = spec ?? {};
  const before = stored?.spec;
  if (!paramRef || (before && same(paramRef, before.paramRef) && policyName === before.policyName)) return;
  const policy = (await options.policy(policiesOf(request), policyName)) as Policy | undefined;
  const { name = '', namespace = '' } = paramRef;
  const verb = name === '' ? 'list' : 'get';
  const reference = { verb, namespace, name, ...resourceOf(policy?.spec?.paramKind, options) };
  if (await isAllowed(request, reference, options)) return;
  const why = `does not have "${verb}" permission on the object referenced by paramRef`;
  throw refused(request, 'spec.paramRef', why);
}

/** Returns the plural of the policies of a binding. */
const policiesOf = ({ resource }: AdmissionRequest): string =>
  resource.resource.replace(/policybindings$/, 'policies');

type ReferencedResource = Pick<AuthorizationAttributes, 'apiGroup' | 'apiVersion' | 'resource'>;

/** Returns the resource of a kind; everything as far as it is not known. */
function resourceOf(
  paramKind: ParamKind | null | undefined,
  { parameters }: PolicyPermissionOptions,
): ReferencedResource {
  const parsed = paramKind && parseApiVersion(paramKind.apiVersion ?? '');
  if (!parsed) return { apiGroup: '*', apiVersion: '*', resource: '*' };
  const { group: apiGroup, version: apiVersion } = parsed;
  return { apiGroup, apiVersion, resource: parameters(paramKind)?.resource ?? '*' };
}

async function isAllowed(
  { user }: AdmissionRequest,
  reference: ReferencedResource & Pick<AuthorizationAttributes, 'verb' | 'namespace' | 'name'>,
  { authorizer }: PolicyPermissionOptions,
): Promise<boolean> {
  const attributes = { ...reference, user, isResourceRequest: true, subresource: '', path: '' };
  return (await authorizer.authorize(attributes)).decision === 'allow';
}

function refused({ kind, name, user }: AdmissionRequest, field: string, why: string): StatusError {
  return StatusError.invalid(kind.group, kind.kind, name, [
    FieldErrors.forbidden(field, `user ${user.name} ${why}`),
  ]);
}

const same = (a: unknown, b: unknown): boolean => jsonEqual(a as JsonValue, (b ?? null) as JsonValue);
