import { objectMetaSchema, type Schema } from '@ashlar/core';
import { localObjectReference } from '../../../core/object-reference.ts';
import {
  atomic,
  boolean,
  int32,
  int64,
  keyedBy,
  optional,
  printed,
  string,
  stringMap,
  type,
} from '../../../types/schema-fields.ts';
import { among, listOf, part, quantities, textOf, texts, withDefault } from '../../shape-fields.ts';
import { PREEMPTION_POLICIES } from '../shared/enumerations.ts';
import { affinity, toleration, topologySpreadConstraint } from './affinity.ts';
import { container, ephemeralContainer } from './container.ts';
import { resourceRequirements } from './resource-requirements.ts';
import { podSecurityContext } from './security-context.ts';
import { volume } from './volume.ts';

// Pod specs.

const podOs = type(
  'api.core.v1.PodOS',
  {
    name: printed(textOf(1, 'api.core.v1.OSName')),
  },
  { required: ['name'] },
);

const hostAlias = type(
  'api.core.v1.HostAlias',
  {
    ip: printed(string(1)),
    hostnames: texts(2, atomic),
  },
  { required: ['ip'] },
);

const podDnsConfigOption = type('api.core.v1.PodDNSConfigOption', {
  name: string(1),
  value: optional(string(2)),
});

const podDnsConfig = type('api.core.v1.PodDNSConfig', {
  nameservers: texts(1, atomic),
  searches: texts(2, atomic),
  options: listOf(3, podDnsConfigOption, atomic),
});

const podReadinessGate = type(
  'api.core.v1.PodReadinessGate',
  {
    conditionType: printed(textOf(1, 'api.core.v1.PodConditionType')),
  },
  { required: ['conditionType'] },
);

const podResourceClaim = type(
  'api.core.v1.PodResourceClaim',
  {
    name: printed(string(1)),
    resourceClaimName: optional(string(3)),
    resourceClaimTemplateName: optional(string(4)),
  },
  { required: ['name'] },
);

const podSchedulingGate = type(
  'api.core.v1.PodSchedulingGate',
  {
    name: printed(string(1)),
  },
  { required: ['name'] },
);

/** Schema of `PodSpec`. */
export const podSpec: Schema = type(
  'api.core.v1.PodSpec',
  {
    volumes: listOf(1, volume, { ...keyedBy('name'), patchStrategy: 'merge,retainKeys' }),
    initContainers: listOf(20, container, keyedBy('name')),
    containers: printed(listOf(2, container, keyedBy('name'))),
    ephemeralContainers: listOf(34, ephemeralContainer, keyedBy('name')),
    restartPolicy: among(withDefault(textOf(3, 'api.core.v1.RestartPolicy'), 'Always'), [
      'Always',
      'Never',
      'OnFailure',
    ]),
    terminationGracePeriodSeconds: withDefault(optional(int64(4)), 30),
    activeDeadlineSeconds: optional(int64(5)),
    dnsPolicy: among(withDefault(textOf(6, 'api.core.v1.DNSPolicy'), 'ClusterFirst'), [
      'ClusterFirst',
      'ClusterFirstWithHostNet',
      'Default',
      'None',
    ]),
    nodeSelector: { ...stringMap(7), mapType: 'atomic' },
    serviceAccountName: string(8),
    serviceAccount: string(9),
    automountServiceAccountToken: optional(boolean(21)),
    nodeName: string(10),
    hostNetwork: boolean(11),
    hostPID: boolean(12),
    hostIPC: boolean(13),
    shareProcessNamespace: optional(boolean(27)),
    securityContext: withDefault(optional(part(14, podSecurityContext)), {}),
    imagePullSecrets: listOf(15, localObjectReference, keyedBy('name')),
    hostname: string(16),
    subdomain: string(17),
    affinity: optional(part(18, affinity)),
    schedulerName: withDefault(string(19), 'default-scheduler'),
    tolerations: listOf(22, toleration, atomic),
    hostAliases: listOf(23, hostAlias, keyedBy('ip')),
    priorityClassName: string(24),
    priority: optional(int32(25)),
    dnsConfig: optional(part(26, podDnsConfig)),
    readinessGates: listOf(28, podReadinessGate, atomic),
    runtimeClassName: optional(string(29)),
    enableServiceLinks: optional(boolean(30)),
    preemptionPolicy: among(optional(textOf(31, 'api.core.v1.PreemptionPolicy')), PREEMPTION_POLICIES),
    overhead: quantities(32),
    topologySpreadConstraints: listOf(
      33,
      topologySpreadConstraint,
      keyedBy('topologyKey', 'whenUnsatisfiable'),
    ),
    setHostnameAsFQDN: optional(boolean(35)),
    os: optional(part(36, podOs)),
    hostUsers: optional(boolean(37)),
    schedulingGates: listOf(38, podSchedulingGate, keyedBy('name')),
    resourceClaims: listOf(39, podResourceClaim, { ...keyedBy('name'), patchStrategy: 'merge,retainKeys' }),
    resources: optional(part(40, resourceRequirements)),
  },
  { required: ['containers'] },
);

/** Schema of `PodTemplateSpec`. */
export const podTemplateSpec: Schema = type('api.core.v1.PodTemplateSpec', {
  metadata: part(1, objectMetaSchema),
  spec: part(2, podSpec),
});
