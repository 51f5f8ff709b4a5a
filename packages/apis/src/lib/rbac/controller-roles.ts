import type { ResourceRow } from './resource-row.ts';

/**
 * What the loops need that every server with roles runs, by the service account of the system namespace under which each can run elsewhere
 * (specification 2, "RBAC objects": `system:controller:<name>`).
 */
export const CONTROLLERS: Readonly<Record<string, readonly ResourceRow[]>> = {
  'clusterrole-aggregation-controller': [
    ['escalate,get,list,patch,update,watch', 'rbac.authorization.', 'clusterroles'],
  ],
  'namespace-controller': [
    ['delete,get,list,watch', '', 'namespaces'],
    ['update', '', 'namespaces/finalize,namespaces/status'],
    ['delete,deletecollection,get,list', '*', '*'],
  ],
};
