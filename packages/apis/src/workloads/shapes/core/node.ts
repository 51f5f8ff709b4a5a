import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import {
  atomic,
  boolean,
  int32,
  int64,
  keyedBy,
  optional,
  printed,
  set,
  string,
  time,
  type,
} from '../../../types/schema-fields.ts';
import { among, listOf, part, quantities, textOf, texts, textsOf } from '../../shape-fields.ts';
import { taint } from './affinity.ts';

// Nodes.

const configMapNodeConfigSource = type(
  'api.core.v1.ConfigMapNodeConfigSource',
  {
    namespace: printed(string(1)),
    name: printed(string(2)),
    uid: textOf(3, 'apimachinery.pkg.types.UID'),
    resourceVersion: string(4),
    kubeletConfigKey: printed(string(5)),
  },
  { required: ['namespace', 'name', 'kubeletConfigKey'] },
);

const nodeConfigSource = type('api.core.v1.NodeConfigSource', {
  configMap: optional(part(2, configMapNodeConfigSource)),
});

const nodeSpec = type('api.core.v1.NodeSpec', {
  podCIDR: string(1),
  podCIDRs: texts(7, set),
  providerID: string(3),
  unschedulable: boolean(4),
  taints: listOf(5, taint, atomic),
  configSource: optional(part(6, nodeConfigSource)),
  externalID: string(2),
});

const nodeCondition = type(
  'api.core.v1.NodeCondition',
  {
    type: printed(textOf(1, 'api.core.v1.NodeConditionType')),
    status: printed(textOf(2, 'api.core.v1.ConditionStatus')),
    lastHeartbeatTime: time(3),
    lastTransitionTime: time(4),
    reason: string(5),
    message: string(6),
  },
  { required: ['type', 'status'] },
);

const nodeAddress = type(
  'api.core.v1.NodeAddress',
  {
    type: printed(textOf(1, 'api.core.v1.NodeAddressType')),
    address: printed(string(2)),
  },
  { required: ['type', 'address'] },
);

const daemonEndpoint = type(
  'api.core.v1.DaemonEndpoint',
  {
    Port: printed(int32(1)),
  },
  { required: ['Port'] },
);

const nodeDaemonEndpoints = type('api.core.v1.NodeDaemonEndpoints', {
  kubeletEndpoint: part(1, daemonEndpoint),
});

const nodeSystemInfo = type(
  'api.core.v1.NodeSystemInfo',
  {
    machineID: printed(string(1)),
    systemUUID: printed(string(2)),
    bootID: printed(string(3)),
    kernelVersion: printed(string(4)),
    osImage: printed(string(5)),
    containerRuntimeVersion: printed(string(6)),
    kubeletVersion: printed(string(7)),
    kubeProxyVersion: printed(string(8)),
    operatingSystem: printed(string(9)),
    architecture: printed(string(10)),
  },
  {
    required: [
      'machineID',
      'systemUUID',
      'bootID',
      'kernelVersion',
      'osImage',
      'containerRuntimeVersion',
      'kubeletVersion',
      'kubeProxyVersion',
      'operatingSystem',
      'architecture',
    ],
  },
);

const containerImage = type('api.core.v1.ContainerImage', {
  names: printed(texts(1, atomic)),
  sizeBytes: int64(2),
});

const attachedVolume = type(
  'api.core.v1.AttachedVolume',
  {
    name: printed(textOf(1, 'api.core.v1.UniqueVolumeName')),
    devicePath: printed(string(2)),
  },
  { required: ['name', 'devicePath'] },
);

const nodeConfigStatus = type('api.core.v1.NodeConfigStatus', {
  assigned: optional(part(1, nodeConfigSource)),
  active: optional(part(2, nodeConfigSource)),
  lastKnownGood: optional(part(3, nodeConfigSource)),
  error: string(4),
});

const nodeRuntimeHandlerFeatures = type('api.core.v1.NodeRuntimeHandlerFeatures', {
  recursiveReadOnlyMounts: optional(boolean(1)),
  userNamespaces: optional(boolean(2)),
});

const nodeRuntimeHandler = type('api.core.v1.NodeRuntimeHandler', {
  name: printed(string(1)),
  features: optional(part(2, nodeRuntimeHandlerFeatures)),
});

const nodeFeatures = type('api.core.v1.NodeFeatures', {
  supplementalGroupsPolicy: optional(boolean(1)),
});

const nodeStatus = type('api.core.v1.NodeStatus', {
  capacity: quantities(1),
  allocatable: quantities(2),
  phase: among(textOf(3, 'api.core.v1.NodePhase'), ['Pending', 'Running', 'Terminated']),
  conditions: listOf(4, nodeCondition, keyedBy('type')),
  addresses: listOf(5, nodeAddress, keyedBy('type')),
  daemonEndpoints: part(6, nodeDaemonEndpoints),
  nodeInfo: part(7, nodeSystemInfo),
  images: listOf(8, containerImage, atomic),
  volumesInUse: textsOf(9, 'api.core.v1.UniqueVolumeName', atomic),
  volumesAttached: listOf(10, attachedVolume, atomic),
  config: optional(part(11, nodeConfigStatus)),
  runtimeHandlers: listOf(12, nodeRuntimeHandler, atomic),
  features: optional(part(13, nodeFeatures)),
});

/** Schema of `Node`. */
export const nodeSchema: Schema = kindSchema('api.core.v1.Node', 'A machine that runs pods.', {
  spec: part(2, nodeSpec),
  status: part(3, nodeStatus),
});
