import type { Vocabulary } from '@ashlar/core';
import { nodeControllerRoles } from './node-controller-roles.ts';
import { EVENT_WRITES, type ResourceRow } from './resource-row.ts';
import { workloadControllerRoles } from './workload-controller-roles.ts';

/** Rules of a controller in the cluster or in a system namespace. */
export interface ControllerRole {
  /** Name of its service account in the system namespace. */
  readonly controller: string;
  readonly namespace?: 'system' | 'public';
  readonly rows: readonly ResourceRow[];
}

const READ = 'get,list,watch';

/**
 * The permissions of the controllers of a cluster, by the service accounts under which they run
 * (semantics/access#rbac: `system:controller:<name>`).
 */
export function controllerRoles({ labelDomain, namespacePrefix }: Vocabulary): readonly ControllerRole[] {
  const signers = [
    ...[`${namespacePrefix}-apiserver-client`, `${namespacePrefix}-apiserver-client-kubelet`],
    ...['kubelet-serving', 'legacy-unknown'],
  ].map((signer) => `${labelDomain}/${signer}`);
  const ofTheCluster: Readonly<Record<string, readonly ResourceRow[]>> = {
    ...workloadControllerRoles,
    ...nodeControllerRoles,
    'certificate-controller': [
      [`delete,${READ}`, 'certificates.', 'certificatesigningrequests'],
      ['update', 'certificates.', 'certificatesigningrequests/approval,certificatesigningrequests/status'],
      ['approve', 'certificates.', 'signers', `${labelDomain}/${namespacePrefix}-apiserver-client-kubelet`],
      ['sign', 'certificates.', 'signers', signers.join()],
      ['create', 'authorization.', 'subjectaccessreviews'],
      EVENT_WRITES,
    ],
    'clusterrole-aggregation-controller': [
      [`escalate,patch,update,${READ}`, 'rbac.authorization.', 'clusterroles'],
    ],
    'generic-garbage-collector': [[`delete,patch,update,${READ}`, '*', '*'], EVENT_WRITES],
    'legacy-service-account-token-cleaner': [
      ['get', '', 'configmaps', `${namespacePrefix}-apiserver-legacy-service-account-token-tracking`],
      ['delete,patch', '', 'secrets'],
    ],
    'namespace-controller': [
      [`delete,${READ}`, '', 'namespaces'],
      ['update', '', 'namespaces/finalize,namespaces/status'],
      [`delete,deletecollection,${READ}`, '*', '*'],
    ],
    'resourcequota-controller': [
      ['list,watch', '*', '*'],
      ['update', '', 'resourcequotas/status'],
      EVENT_WRITES,
    ],
    'root-ca-cert-publisher': [['create,update', '', 'configmaps'], EVENT_WRITES],
    'service-account-controller': [['create', '', 'serviceaccounts'], EVENT_WRITES],
    'validatingadmissionpolicy-status-controller': [
      [READ, 'admissionregistration.', 'validatingadmissionpolicies'],
      ['get,patch,update', 'admissionregistration.', 'validatingadmissionpolicies/status'],
      EVENT_WRITES,
    ],
  };
  return [
    ...Object.entries(ofTheCluster).map(([controller, rows]) => ({ controller, rows })),
    {
      controller: 'token-cleaner',
      namespace: 'system',
      rows: [[`delete,${READ}`, '', 'secrets'], EVENT_WRITES],
    },
    { controller: 'cloud-provider', namespace: 'system', rows: [[`create,${READ}`, '', 'configmaps']] },
    { controller: 'bootstrap-signer', namespace: 'system', rows: [[READ, '', 'secrets']] },
    {
      controller: 'bootstrap-signer',
      namespace: 'public',
      rows: [[READ, '', 'configmaps'], ['update', '', 'configmaps', 'cluster-info'], EVENT_WRITES],
    },
  ];
}
