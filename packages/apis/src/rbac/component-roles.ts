import { EVENT_WRITES, type ResourceRow } from './resource-row.ts';

const READ = 'get,list,watch';
const WRITE = 'create,delete,deletecollection,patch,update';

/** Rules of the programs of a cluster, and of the people who look after them, by the names of the roles without `system:`. */
export function componentRoles(prefix: string): Readonly<Record<string, readonly ResourceRow[]>> {
  return {
    heapster: [
      [READ, '', 'events,namespaces,nodes,pods'],
      [READ, 'extensions', 'deployments'],
    ],
    [`${prefix}-aggregator`]: [[READ, '', 'endpoints,services']],
    [`${prefix}-controller-manager`]: [
      EVENT_WRITES,
      ['create', 'coordination.', 'leases'],
      ['get,update', 'coordination.', 'leases', `${prefix}-controller-manager`],
      ['create', '', 'secrets,serviceaccounts'],
      ['delete', '', 'secrets'],
      ['get', '', 'configmaps,namespaces,secrets,serviceaccounts'],
      ['update', '', 'secrets,serviceaccounts'],
      ['create', 'authentication.', 'tokenreviews'],
      ['create', 'authorization.', 'subjectaccessreviews'],
      ['list,watch', '*', '*'],
      ['create', '', 'serviceaccounts/token'],
    ],
    [`${prefix}-dns`]: [['list,watch', '', 'endpoints,services']],
    [`${prefix}-scheduler`]: [
      EVENT_WRITES,
      ['create', 'coordination.', 'leases'],
      [`update,${READ}`, 'coordination.', 'leases', `${prefix}-scheduler`],
      [`${WRITE},${READ}`, 'coordination.', 'leasecandidates'],
      [READ, '', 'nodes'],
      [`delete,${READ}`, '', 'pods'],
      ['create', '', 'bindings,pods/binding'],
      ['patch,update', '', 'pods/status'],
      [READ, '', 'replicationcontrollers,services'],
      [READ, 'apps,extensions', 'replicasets'],
      [READ, 'apps', 'statefulsets'],
      [READ, 'policy', 'poddisruptionbudgets'],
      [READ, '', 'persistentvolumeclaims,persistentvolumes'],
      ['create', 'authentication.', 'tokenreviews'],
      ['create', 'authorization.', 'subjectaccessreviews'],
      [READ, 'storage.', 'csinodes'],
      [READ, 'storage.', 'volumeattachments'],
      [READ, '', 'namespaces'],
      [READ, 'storage.', 'csidrivers'],
      [READ, 'storage.', 'csistoragecapacities'],
    ],
    'kubelet-api-admin': [
      [READ, '', 'nodes'],
      ['proxy', '', 'nodes'],
      ['*', '', 'nodes/log,nodes/metrics,nodes/proxy,nodes/stats'],
    ],
    'node-problem-detector': [['get', '', 'nodes'], ['patch', '', 'nodes/status'], EVENT_WRITES],
    'node-proxier': [
      ['list,watch', '', 'endpoints,services'],
      [READ, '', 'nodes'],
      EVENT_WRITES,
      ['list,watch', 'discovery.', 'endpointslices'],
    ],
    'persistent-volume-provisioner': [
      [`create,delete,${READ}`, '', 'persistentvolumes'],
      [`update,${READ}`, '', 'persistentvolumeclaims'],
      [READ, 'storage.', 'storageclasses'],
      ['watch', '', 'events'],
      EVENT_WRITES,
    ],
    'volume-scheduler': [
      [`patch,update,${READ}`, '', 'persistentvolumes'],
      [READ, 'storage.', 'storageclasses'],
      [`patch,update,${READ}`, '', 'persistentvolumeclaims'],
    ],
  };
}
