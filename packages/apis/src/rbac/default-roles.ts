import type { PolicyRule, Role, RoleBinding, RoleSubject } from '@ashlar/authz';
import { groupName, oncePerVocabulary, systemNamespace, type Vocabulary } from '@ashlar/core';
import { componentRoles } from './component-roles.ts';
import { controllerRoles } from './controller-roles.ts';
import { type ResourceRow, resourceRule, sorted } from './resource-row.ts';

const READ = 'get,list,watch';
const WRITE = 'create,delete,deletecollection,patch,update';
const LOCK = `create,update,${READ}`;
const ALL = 'create,delete,deletecollection,get,list,patch,update,watch';

interface DefaultClusterRole {
  readonly name: string;
  readonly rows?: readonly ResourceRow[];
  /** Non-resource paths to read. */
  readonly paths?: string;
  /** Labels `…/aggregate-to-<name>` that select aggregated rules. */
  readonly collects?: string;
  /** The role that aggregates this one. */
  readonly collectedBy?: string;
}

/** Prefix of the names of controllers. */
const CONTROLLER = 'system:controller:';

const HEALTH = '/healthz,/livez,/readyz,/version,/version/';

/** Returns the default roles and bindings (semantics/access#default-roles). */
function clusterRoleTable(vocabulary: Vocabulary): readonly DefaultClusterRole[] {
  const signers = `system:certificates.${vocabulary.groupDomain}`;
  const approver = (signer: string): DefaultClusterRole => ({
    name: `${signers}:${signer}-approver`,
    rows: [['approve', 'certificates.', 'signers', `${vocabulary.labelDomain}/${signer}`]],
  });
  const requester = (kind: string): DefaultClusterRole => ({
    name: `${signers}:certificatesigningrequests:${kind}`,
    rows: [['create', 'certificates.', `certificatesigningrequests/${kind}`]],
  });
  const prefix = vocabulary.namespacePrefix;
  return [
    { name: 'cluster-admin', rows: [['*', '*', '*']], paths: '*' },
    { name: 'system:discovery', paths: `/api,/api/*,/apis,/apis/*,/openapi,/openapi/*,${HEALTH}` },
    { name: 'system:public-info-viewer', paths: HEALTH },
    {
      name: 'system:monitoring',
      paths: '/healthz,/healthz/*,/livez,/livez/*,/metrics,/metrics/slis,/readyz,/readyz/*',
    },
    {
      name: 'system:basic-user',
      rows: [
        ['create', 'authorization.', 'selfsubjectaccessreviews,selfsubjectrulesreviews'],
        ['create', 'authentication.', 'selfsubjectreviews'],
      ],
    },
    {
      name: 'system:auth-delegator',
      rows: [
        ['create', 'authentication.', 'tokenreviews'],
        ['create', 'authorization.', 'subjectaccessreviews'],
      ],
    },
    {
      name: 'system:service-account-issuer-discovery',
      paths:
        '/.well-known/openid-configuration,/.well-known/openid-configuration/,/openid/v1/jwks,/openid/v1/jwks/',
    },
    { name: 'admin', collects: 'admin' },
    { name: 'edit', collects: 'edit', collectedBy: 'admin' },
    { name: 'view', collects: 'view', collectedBy: 'edit' },
    { name: 'system:aggregate-to-admin', collectedBy: 'admin', rows: ADMIN },
    { name: 'system:aggregate-to-edit', collectedBy: 'edit', rows: EDIT },
    { name: 'system:aggregate-to-view', collectedBy: 'view', rows: VIEW },
    { name: 'system:node', rows: NODE },
    {
      name: 'system:node-bootstrapper',
      rows: [['create,get,list,watch', 'certificates.', 'certificatesigningrequests']],
    },
    requester('nodeclient'),
    requester('selfnodeclient'),
    approver(`${prefix}-apiserver-client`),
    approver(`${prefix}-apiserver-client-kubelet`),
    approver('kubelet-serving'),
    approver('legacy-unknown'),
    ...Object.entries(componentRoles(prefix)).map(([name, rows]) => ({ name: `system:${name}`, rows })),
    ...controllerRoles(vocabulary).flatMap(({ controller, namespace, rows }) =>
      namespace === undefined ? [{ name: CONTROLLER + controller, rows }] : [],
    ),
  ];
}

const ADMIN: readonly ResourceRow[] = [
  ['create', 'authorization.', 'localsubjectaccessreviews'],
  [ALL, 'rbac.authorization.', 'rolebindings,roles'],
];

const POD_CONNECTIONS = 'pods/attach,pods/exec,pods/portforward,pods/proxy';

const EDIT: readonly ResourceRow[] = [
  [READ, '', `${POD_CONNECTIONS},secrets,services/proxy`],
  ['impersonate', '', 'serviceaccounts'],
  [WRITE, '', `pods,${POD_CONNECTIONS}`],
  ['create', '', 'pods/eviction'],
  [
    WRITE,
    '',
    'configmaps,events,persistentvolumeclaims,replicationcontrollers,replicationcontrollers/scale,secrets,' +
      'serviceaccounts,services,services/proxy',
  ],
  ['create', '', 'serviceaccounts/token'],
  [
    WRITE,
    'apps',
    'daemonsets,deployments,deployments/rollback,deployments/scale,replicasets,replicasets/scale,statefulsets,' +
      'statefulsets/scale',
  ],
  [WRITE, 'autoscaling', 'horizontalpodautoscalers'],
  [WRITE, 'batch', 'cronjobs,jobs'],
  [
    WRITE,
    'extensions',
    'daemonsets,deployments,deployments/rollback,deployments/scale,ingresses,networkpolicies,replicasets,' +
      'replicasets/scale,replicationcontrollers/scale',
  ],
  [WRITE, 'policy', 'poddisruptionbudgets'],
  [WRITE, 'networking.', 'ingresses,networkpolicies'],
  [ALL, 'coordination.', 'leases'],
];

const VIEW: readonly ResourceRow[] = [
  [
    READ,
    '',
    'configmaps,endpoints,persistentvolumeclaims,persistentvolumeclaims/status,pods,replicationcontrollers,' +
      'replicationcontrollers/scale,serviceaccounts,services,services/status',
  ],
  [
    READ,
    '',
    'bindings,events,limitranges,namespaces/status,pods/log,pods/status,replicationcontrollers/status,' +
      'resourcequotas,resourcequotas/status',
  ],
  [READ, '', 'namespaces'],
  [READ, 'discovery.', 'endpointslices'],
  [
    READ,
    'apps',
    'controllerrevisions,daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,replicasets,' +
      'replicasets/scale,replicasets/status,statefulsets,statefulsets/scale,statefulsets/status',
  ],
  [READ, 'autoscaling', 'horizontalpodautoscalers,horizontalpodautoscalers/status'],
  [READ, 'batch', 'cronjobs,cronjobs/status,jobs,jobs/status'],
  [
    READ,
    'extensions',
    'daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,ingresses,ingresses/status,' +
      'networkpolicies,replicasets,replicasets/scale,replicasets/status,replicationcontrollers/scale',
  ],
  [READ, 'policy', 'poddisruptionbudgets,poddisruptionbudgets/status'],
  [READ, 'networking.', 'ingresses,ingresses/status,networkpolicies'],
];

const NODE: readonly ResourceRow[] = [
  ['create', 'authentication.', 'tokenreviews'],
  ['create', 'authorization.', 'localsubjectaccessreviews,subjectaccessreviews'],
  [READ, '', 'services'],
  ['create,get,list,watch', '', 'nodes'],
  ['patch,update', '', 'nodes/status'],
  ['patch,update', '', 'nodes'],
  ['create,patch,update', '', 'events'],
  [READ, '', 'pods'],
  ['create,delete', '', 'pods'],
  ['patch,update', '', 'pods/status'],
  ['create', '', 'pods/eviction'],
  [READ, '', 'configmaps,secrets'],
  ['get', '', 'persistentvolumeclaims,persistentvolumes'],
  ['get', '', 'endpoints'],
  ['create,get,list,watch', 'certificates.', 'certificatesigningrequests'],
  ['create,delete,get,patch,update', 'coordination.', 'leases'],
  ['get', 'storage.', 'volumeattachments'],
  ['create', '', 'serviceaccounts/token'],
  ['get,patch,update', '', 'persistentvolumeclaims/status'],
  [READ, 'storage.', 'csidrivers'],
  ['create,delete,get,patch,update', 'storage.', 'csinodes'],
  [READ, 'node.', 'runtimeclasses'],
];

/** Roles and the groups that have them. */
const CLUSTER_BINDINGS: readonly (readonly [role: string, ...groups: string[]])[] = [
  ['cluster-admin', 'system:masters'],
  ['system:monitoring', 'system:monitoring'],
  ['system:discovery', 'system:authenticated'],
  ['system:basic-user', 'system:authenticated'],
  ['system:public-info-viewer', 'system:authenticated', 'system:unauthenticated'],
  ['system:service-account-issuer-discovery', 'system:serviceaccounts'],
  ['system:node'],
];

/** The default RBAC objects of a cluster. */
export interface DefaultRoles {
  readonly clusterRoles: readonly Role[];
  readonly clusterRoleBindings: readonly RoleBinding[];
  readonly roles: readonly Role[];
  readonly roleBindings: readonly RoleBinding[];
}

/**
 * Creates the default roles and bindings, and completes existing ones at each start (semantics/access#default-roles).
 * @example
 * defaultRoles(vocabulary).clusterRoles.map(({ metadata }) => metadata.name); // ['cluster-admin', 'system:discovery', …]
 */
export const defaultRoles: (vocabulary: Vocabulary) => DefaultRoles = oncePerVocabulary(makeDefaultRoles);

function makeDefaultRoles(vocabulary: Vocabulary): DefaultRoles {
  const group = groupName(vocabulary, 'rbac.authorization.');
  const metadata = (name: string, labels: Readonly<Record<string, string>> = {}) => ({
    name,
    labels: { [`${vocabulary.labelDomain}/bootstrapping`]: 'rbac-defaults', ...labels },
    annotations: { [`rbac.authorization.${vocabulary.labelDomain}/autoupdate`]: 'true' },
  });
  const head = (kind: string) => ({ apiVersion: `${group}/v1`, kind });
  const aggregation = (to: string) => ({ [`${group}/aggregate-to-${to}`]: 'true' });
  const namespaced = namespacedRoles(vocabulary, group);
  return {
    clusterRoles: clusterRoleTable(vocabulary).map(({ name, rows, paths, collects, collectedBy }) => ({
      ...head('ClusterRole'),
      metadata: metadata(name, collectedBy === undefined ? {} : aggregation(collectedBy)),
      ...(collects !== undefined && {
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregation(collects) }] },
      }),
      rules: collects === undefined ? rulesOf(vocabulary, rows, paths) : null,
    })),
    clusterRoleBindings: clusterBindings(vocabulary, group).map(([name, subjects]) => ({
      ...head('ClusterRoleBinding'),
      metadata: metadata(name),
      roleRef: { apiGroup: group, kind: 'ClusterRole', name },
      ...(subjects.length > 0 && { subjects }),
    })),
    roles: namespaced.map(({ name, namespace, rows }) => ({
      ...head('Role'),
      metadata: { ...metadata(name), namespace },
      rules: rulesOf(vocabulary, rows),
    })),
    roleBindings: namespaced.map(({ name, binding = name, namespace, subjects }) => ({
      ...head('RoleBinding'),
      metadata: { ...metadata(binding), namespace },
      roleRef: { apiGroup: group, kind: 'Role', name },
      subjects,
    })),
  };
}

/** A role of a namespace, and its subjects. */
interface NamespacedRole {
  readonly name: string;
  readonly namespace: string;
  readonly rows: readonly ResourceRow[];
  /** Name of its binding, if it is another one. */
  readonly binding?: string;
  readonly subjects: readonly RoleSubject[];
}

function namespacedRoles(vocabulary: Vocabulary, apiGroup: string): readonly NamespacedRole[] {
  const { namespacePrefix: prefix } = vocabulary;
  const namespace = systemNamespace(vocabulary, 'system');
  const user = (name: string): RoleSubject => ({ kind: 'User', apiGroup, name: `system:${prefix}-${name}` });
  /** Lets a program lock the election of its leader. */
  const locking = (program: string, ...accounts: readonly string[]): NamespacedRole => ({
    name: `system::leader-locking-${prefix}-${program}`,
    namespace,
    rows: [
      ['watch', '', 'configmaps'],
      ['get,update', '', 'configmaps', `${prefix}-${program}`],
      [LOCK, 'coordination.', 'leases'],
      [LOCK, 'coordination.', 'leasecandidates'],
    ],
    subjects: [user(program), ...accounts.map((name) => accountOf(name, vocabulary))],
  });
  return [
    {
      name: 'extension-apiserver-authentication-reader',
      binding: 'system::extension-apiserver-authentication-reader',
      namespace,
      rows: [[READ, '', 'configmaps', 'extension-apiserver-authentication']],
      subjects: [user('controller-manager'), user('scheduler')],
    },
    locking('controller-manager', `${prefix}-controller-manager`, 'leader-election-controller'),
    locking('scheduler', `${prefix}-scheduler`),
    ...controllerRoles(vocabulary).flatMap(({ controller, namespace, rows }) =>
      namespace === undefined
        ? []
        : {
            name: CONTROLLER + controller,
            namespace: systemNamespace(vocabulary, namespace),
            rows,
            subjects: [accountOf(controller, vocabulary)],
          },
    ),
  ];
}

const accountOf = (controller: string, vocabulary: Vocabulary): RoleSubject => ({
  kind: 'ServiceAccount',
  name: controller,
  namespace: systemNamespace(vocabulary, 'system'),
});

type ClusterBinding = readonly [role: string, subjects: readonly RoleSubject[]];

/** The initial cluster role bindings. */
function clusterBindings(vocabulary: Vocabulary, apiGroup: string): readonly ClusterBinding[] {
  const { namespacePrefix: prefix } = vocabulary;
  const programs = [
    [`${prefix}-controller-manager`, 'controller-manager'],
    [`${prefix}-scheduler`, 'scheduler'],
    ['volume-scheduler', 'scheduler'],
    ['node-proxier', 'proxy'],
  ] as const;
  return [
    ...CLUSTER_BINDINGS.map(
      ([role, ...groups]): ClusterBinding => [
        role,
        groups.map((name) => ({ kind: 'Group', apiGroup, name })),
      ],
    ),
    ...programs.map(
      ([role, user]): ClusterBinding => [
        `system:${role}`,
        [{ kind: 'User', apiGroup, name: `system:${prefix}-${user}` }],
      ],
    ),
    [`system:${prefix}-dns`, [accountOf(`${prefix}-dns`, vocabulary)]],
    ...controllerRoles(vocabulary).flatMap(({ controller, namespace }): ClusterBinding[] =>
      namespace === undefined ? [[CONTROLLER + controller, [accountOf(controller, vocabulary)]]] : [],
    ),
  ];
}

function rulesOf(
  vocabulary: Vocabulary,
  rows: readonly ResourceRow[] = [],
  paths?: string,
): readonly PolicyRule[] {
  const rules = rows.map((row) => resourceRule(vocabulary, row));
  if (paths === undefined) return rules;
  return [...rules, { verbs: [paths === '*' ? '*' : 'get'], nonResourceURLs: sorted(paths) }];
}
