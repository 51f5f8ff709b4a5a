import type { Vocabulary } from '@ashlar/core';
import type { ResourceRow } from './resource-row.ts';

/** Rules of a controller in the cluster or in a system namespace. */
export interface ControllerRole {
  /** Name of its service account in the system namespace. */
  readonly controller: string;
  readonly namespace?: 'system' | 'public';
  readonly rows: readonly ResourceRow[];
}

const READ = 'get,list,watch';

/**
 * The permissions of the built-in controllers, by the service accounts under which they can run elsewhere
 * (semantics/access#rbac: `system:controller:<name>`).
 */
export function controllerRoles({ labelDomain, namespacePrefix }: Vocabulary): readonly ControllerRole[] {
  const signers = [
    ...[`${namespacePrefix}-apiserver-client`, `${namespacePrefix}-apiserver-client-kubelet`],
    ...['kubelet-serving', 'legacy-unknown'],
  ].map((signer) => `${labelDomain}/${signer}`);
  return [
    {
      controller: 'certificate-controller',
      rows: [
        [`delete,${READ}`, 'certificates.', 'certificatesigningrequests'],
        ['update', 'certificates.', 'certificatesigningrequests/status'],
        ['sign', 'certificates.', 'signers', signers.join()],
      ],
    },
    {
      controller: 'clusterrole-aggregation-controller',
      rows: [[`escalate,patch,update,${READ}`, 'rbac.authorization.', 'clusterroles']],
    },
    {
      controller: 'namespace-controller',
      rows: [
        [`delete,${READ}`, '', 'namespaces'],
        ['update', '', 'namespaces/finalize,namespaces/status'],
        ['delete,deletecollection,get,list', '*', '*'],
      ],
    },
    { controller: 'token-cleaner', namespace: 'system', rows: [[`delete,${READ}`, '', 'secrets']] },
    { controller: 'bootstrap-signer', namespace: 'system', rows: [[READ, '', 'secrets']] },
    {
      controller: 'bootstrap-signer',
      namespace: 'public',
      rows: [
        [READ, '', 'configmaps'],
        ['update', '', 'configmaps', 'cluster-info'],
      ],
    },
  ];
}
