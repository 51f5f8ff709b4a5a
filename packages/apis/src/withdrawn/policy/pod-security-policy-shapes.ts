import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../types/kind-schema.ts';
import { atomic, boolean, int32, int64, optional, printed, string, type } from '../../types/schema-fields.ts';
import { listOf, part, texts, withDefault } from '../../workloads/shape-fields.ts';
import { seLinuxOptions } from '../../workloads/shapes/core/security-context.ts';

// Policies about the security of pods, which no release since 1.25 knows.

const range = (name: string): Schema =>
  type(`api.policy.v1beta1.${name}`, { min: printed(int64(1)), max: printed(int64(2)) });

const strategy = (name: string): Schema =>
  type(`api.policy.v1beta1.${name}StrategyOptions`, {
    rule: printed(string(1)),
    ranges: listOf(2, range('IDRange'), atomic),
  });

/** The rule of these may be absent. */
const groupStrategy = (name: string): Schema =>
  type(`api.policy.v1beta1.${name}StrategyOptions`, {
    rule: string(1),
    ranges: listOf(2, range('IDRange'), atomic),
  });

const spec = type('api.policy.v1beta1.PodSecurityPolicySpec', {
  privileged: boolean(1),
  defaultAddCapabilities: texts(2, atomic),
  requiredDropCapabilities: texts(3, atomic),
  allowedCapabilities: texts(4, atomic),
  volumes: texts(5, atomic),
  hostNetwork: boolean(6),
  hostPorts: listOf(
    7,
    type('api.policy.v1beta1.HostPortRange', { min: printed(int32(1)), max: printed(int32(2)) }),
    atomic,
  ),
  hostPID: boolean(8),
  hostIPC: boolean(9),
  seLinux: part(
    10,
    type('api.policy.v1beta1.SELinuxStrategyOptions', {
      rule: printed(string(1)),
      seLinuxOptions: optional(part(2, seLinuxOptions)),
    }),
  ),
  runAsUser: part(11, strategy('RunAsUser')),
  runAsGroup: optional(part(22, strategy('RunAsGroup'))),
  supplementalGroups: part(12, groupStrategy('SupplementalGroups')),
  fsGroup: part(13, groupStrategy('FSGroup')),
  readOnlyRootFilesystem: boolean(14),
  defaultAllowPrivilegeEscalation: optional(boolean(15)),
  allowPrivilegeEscalation: withDefault(optional(boolean(16)), true),
  allowedHostPaths: listOf(
    17,
    type('api.policy.v1beta1.AllowedHostPath', { pathPrefix: string(1), readOnly: boolean(2) }),
    atomic,
  ),
  allowedFlexVolumes: listOf(
    18,
    type('api.policy.v1beta1.AllowedFlexVolume', { driver: printed(string(1)) }),
    atomic,
  ),
  allowedCSIDrivers: listOf(
    23,
    type('api.policy.v1beta1.AllowedCSIDriver', { name: printed(string(1)) }),
    atomic,
  ),
  allowedUnsafeSysctls: texts(19, atomic),
  forbiddenSysctls: texts(20, atomic),
  allowedProcMountTypes: texts(21, atomic),
  runtimeClass: optional(
    part(
      24,
      type('api.policy.v1beta1.RuntimeClassStrategyOptions', {
        allowedRuntimeClassNames: printed(texts(1, atomic)),
        defaultRuntimeClassName: optional(string(2)),
      }),
    ),
  ),
});

/** Schema of `PodSecurityPolicy`. */
export const podSecurityPolicySchema: Schema = kindSchema(
  'api.policy.v1beta1.PodSecurityPolicy',
  'What pods may ask of their nodes.',
  { spec: part(2, spec) },
);
