import { EVENT_WRITES, type ResourceRow } from './resource-row.ts';

const READ = 'get,list,watch';

/** Rules of the controllers of nodes, volumes and networks, by their service accounts. */
export const nodeControllerRoles: Readonly<Record<string, readonly ResourceRow[]>> = {
  'attachdetach-controller': [
    ['list,watch', '', 'persistentvolumeclaims,persistentvolumes'],
    [READ, '', 'nodes'],
    ['patch,update', '', 'nodes/status'],
    ['list,watch', '', 'pods'],
    EVENT_WRITES,
    [`create,delete,${READ}`, 'storage.', 'volumeattachments'],
    [READ, 'storage.', 'csidrivers'],
    [READ, 'storage.', 'csinodes'],
  ],
  'endpoint-controller': [
    [READ, '', 'pods,services'],
    [`create,delete,update,${READ}`, '', 'endpoints'],
    ['create', '', 'endpoints/restricted'],
    EVENT_WRITES,
  ],
  'endpointslice-controller': [
    [READ, '', 'nodes,pods,services'],
    ['update', '', 'services/finalizers'],
    [`create,delete,update,${READ}`, 'discovery.', 'endpointslices'],
    EVENT_WRITES,
  ],
  'endpointslicemirroring-controller': [
    [READ, '', 'endpoints,services'],
    ['update', '', 'services/finalizers'],
    ['update', '', 'endpoints/finalizers'],
    [`create,delete,update,${READ}`, 'discovery.', 'endpointslices'],
    EVENT_WRITES,
  ],
  'ephemeral-volume-controller': [
    [READ, '', 'pods'],
    ['update', '', 'pods/finalizers'],
    [`create,${READ}`, '', 'persistentvolumeclaims'],
    EVENT_WRITES,
  ],
  'expand-controller': [
    [`patch,update,${READ}`, '', 'persistentvolumes'],
    ['patch,update', '', 'persistentvolumeclaims/status'],
    [READ, '', 'persistentvolumeclaims'],
    EVENT_WRITES,
    ['get', '', 'services'],
  ],
  'node-controller': [
    [`delete,patch,update,${READ}`, '', 'nodes'],
    ['patch,update', '', 'nodes/status'],
    ['patch,update', '', 'pods/status'],
    [`delete,${READ}`, '', 'pods'],
    EVENT_WRITES,
  ],
  'persistent-volume-binder': [
    [`create,delete,update,${READ}`, '', 'persistentvolumes'],
    ['update', '', 'persistentvolumes/status'],
    [`update,${READ}`, '', 'persistentvolumeclaims'],
    ['update', '', 'persistentvolumeclaims/status'],
    [`create,delete,${READ}`, '', 'pods'],
    [READ, 'storage.', 'storageclasses'],
    ['list,watch', '', 'nodes'],
    EVENT_WRITES,
    ['watch', '', 'events'],
    ['get', '', 'services'],
  ],
  'pv-protection-controller': [[`update,${READ}`, '', 'persistentvolumes'], EVENT_WRITES],
  'pvc-protection-controller': [
    [`update,${READ}`, '', 'persistentvolumeclaims'],
    [READ, '', 'pods'],
    EVENT_WRITES,
  ],
  'route-controller': [['list,watch', '', 'nodes'], ['patch', '', 'nodes/status'], EVENT_WRITES],
  'service-controller': [
    [READ, '', 'services'],
    ['patch,update', '', 'services/status'],
    ['list,watch', '', 'nodes'],
    EVENT_WRITES,
  ],
  'ttl-controller': [['list,patch,update,watch', '', 'nodes'], EVENT_WRITES],
};
