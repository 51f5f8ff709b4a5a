import type { AdmissionPlugin, AdmissionRequest } from '@ashlar/admission';
import {
  type AggregatedRole,
  decisionOf,
  escalationSteps,
  type PolicyRule,
  PRIVILEGED_GROUP,
  type RbacPolicy,
  type RoleBinding,
} from '@ashlar/authz';
import {
  type Ambient,
  type ApiObject,
  type Authorizer,
  type JsonValue,
  jsonEqual,
  runInSlices,
  StatusError,
} from '@ashlar/core';
import { boundRules, pluralOfRole } from './bound-rules.ts';

export interface RoleEscalationOptions {
  readonly ambient: Pick<Ambient, 'clock' | 'turns'>;
  /** Current roles and bindings. */
  policy(): RbacPolicy | Promise<RbacPolicy>;
  /** Group of roles and bindings. */
  readonly group: string;
  /** Checks the verbs `escalate` and `bind`. */
  readonly authorizer: Authorizer;
}

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * Prevents privilege escalation: users can neither write nor bind a role with permissions that they do not
 * have, unless they may `escalate` or `bind` it (semantics/access#rbac). Has to be called last, after all rounds: it
 * checks what other plugins have made of an object.
 */
export function createRoleEscalation(options: RoleEscalationOptions): AdmissionPlugin {
  return {
    name: 'RoleEscalation',
    handles: ({ operation, user, resource }) =>
      resource.group === options.group &&
      (operation === 'CREATE' || operation === 'UPDATE') &&
      !user.groups.includes(PRIVILEGED_GROUP),
    // before they are validated, as the reference server does
    async admit(request) {
      if (isBinding(request)) await requireBindable(request, await options.policy(), options);
      if (isRole(request)) await requireRules(request, await options.policy(), options);
      return undefined;
    },
  };
}

const isBinding = ({ resource: { resource } }: AdmissionRequest): boolean =>
  resource === 'rolebindings' || resource === 'clusterrolebindings';
const isRole = ({ resource: { resource } }: AdmissionRequest): boolean =>
  resource === 'roles' || resource === 'clusterroles';

async function requireRules(
  request: AdmissionRequest,
  policy: RbacPolicy,
  { ambient, authorizer }: RoleEscalationOptions,
): Promise<void> {
  const role = request.object as AggregatedRole;
  const stored = request.oldObject as AggregatedRole | undefined;
  if (stored && changesNoRights(role, stored)) return;
  const { resource, namespace, name } = request;
  if (await isAllowed(authorizer, request, 'escalate', { ...resource, namespace, name: stored ? name : '' }))
    return;
  const why = await runInSlices(escalationSteps(policy, request, role.rules ?? []), ambient);
  if (why !== undefined) throw StatusError.forbidden(resource, role.metadata.name ?? '', why);
  if (!aggregates(role) && !(stored && aggregates(stored))) return;
  if ((await runInSlices(escalationSteps(policy, request, EVERYTHING), ambient)) !== undefined) {
    const text = 'must have cluster-admin privileges to use the aggregationRule';
    throw StatusError.forbidden(resource, role.metadata.name ?? '', text);
  }
}

/** Without selectors it is a matter of validation. */
const aggregates = ({ aggregationRule }: AggregatedRole): boolean =>
  (aggregationRule?.clusterRoleSelectors ?? []).length > 0;

async function requireBindable(
  request: AdmissionRequest,
  policy: RbacPolicy,
  { ambient, authorizer, group }: RoleEscalationOptions,
): Promise<void> {
  const binding = request.object as RoleBinding;
  if (request.oldObject && changesNoRights(binding, request.oldObject)) return;
  const { resource, namespace } = request;
  const { apiGroup, kind = '', name = '' } = binding.roleRef ?? {};
  // plugins of the host may leave out what is set by default afterwards
  const role = { group: apiGroup || group, resource: pluralOfRole(kind), namespace, name };
  if (await isAllowed(authorizer, request, 'bind', role)) return;
  const rules = boundRules(request, policy, binding);
  const why = await runInSlices(escalationSteps(policy, request, rules), ambient);
  if (why !== undefined) throw StatusError.forbidden(resource, binding.metadata.name ?? '', why);
}

interface Target {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

async function isAllowed(
  authorizer: Authorizer,
  { user }: AdmissionRequest,
  verb: string,
  { group, resource, namespace, name }: Target,
): Promise<boolean> {
  const { decision } = await decisionOf(authorizer, {
    user,
    verb,
    isResourceRequest: true,
    apiGroup: group,
    apiVersion: '*',
    resource,
    subresource: '',
    namespace,
    name,
    path: '',
  });
  return decision === 'allow';
}

/** Whether at most fields of the garbage collector differ: owners and finalizers. */
function changesNoRights(object: ApiObject, stored: ApiObject): boolean {
  const compared = ({ metadata, ...rest }: ApiObject): JsonValue => {
    const {
      ownerReferences: _o,
      finalizers: _f,
      managedFields: _m,
      resourceVersion: _r,
      ...others
    } = metadata;
    return { ...rest, metadata: others } as unknown as JsonValue;
  };
  return jsonEqual(compared(object), compared(stored));
}
