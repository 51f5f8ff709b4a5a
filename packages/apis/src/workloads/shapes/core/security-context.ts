import type { Schema } from '@ashlar/core';
import { atomic, boolean, int64, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { among, listOf, part, textOf, textsOf, unionBy } from '../../shape-fields.ts';
import { PROFILE_TYPES } from '../shared/enumerations.ts';

// Privileges of containers.

/** Schema of `SELinuxOptions`. */
export const seLinuxOptions: Schema = type('api.core.v1.SELinuxOptions', {
  user: string(1),
  role: string(2),
  type: string(3),
  level: string(4),
});

const windowsSecurityContextOptions = type('api.core.v1.WindowsSecurityContextOptions', {
  gmsaCredentialSpecName: optional(string(1)),
  gmsaCredentialSpec: optional(string(2)),
  runAsUserName: optional(string(3)),
  hostProcess: optional(boolean(4)),
});

const seccompProfile = type(
  'api.core.v1.SeccompProfile',
  {
    type: among(printed(textOf(1, 'api.core.v1.SeccompProfileType')), PROFILE_TYPES),
    localhostProfile: optional(string(2)),
  },
  { required: ['type'], unions: [unionBy('type', { localhostProfile: 'LocalhostProfile' })] },
);

const appArmorProfile = type(
  'api.core.v1.AppArmorProfile',
  {
    type: among(printed(textOf(1, 'api.core.v1.AppArmorProfileType')), PROFILE_TYPES),
    localhostProfile: optional(string(2)),
  },
  { required: ['type'], unions: [unionBy('type', { localhostProfile: 'LocalhostProfile' })] },
);

const capabilities = type('api.core.v1.Capabilities', {
  add: textsOf(1, 'api.core.v1.Capability', atomic),
  drop: textsOf(2, 'api.core.v1.Capability', atomic),
});

/** Schema of `SecurityContext`. */
export const securityContext: Schema = type('api.core.v1.SecurityContext', {
  capabilities: optional(part(1, capabilities)),
  privileged: optional(boolean(2)),
  seLinuxOptions: optional(part(3, seLinuxOptions)),
  windowsOptions: optional(part(10, windowsSecurityContextOptions)),
  runAsUser: optional(int64(4)),
  runAsGroup: optional(int64(8)),
  runAsNonRoot: optional(boolean(5)),
  readOnlyRootFilesystem: optional(boolean(6)),
  allowPrivilegeEscalation: optional(boolean(7)),
  procMount: among(optional(textOf(9, 'api.core.v1.ProcMountType')), ['Default', 'Unmasked']),
  seccompProfile: optional(part(11, seccompProfile)),
  appArmorProfile: optional(part(12, appArmorProfile)),
});

const sysctl = type(
  'api.core.v1.Sysctl',
  {
    name: printed(string(1)),
    value: printed(string(2)),
  },
  { required: ['name', 'value'] },
);

/** Schema of `PodSecurityContext`. */
export const podSecurityContext: Schema = type('api.core.v1.PodSecurityContext', {
  seLinuxOptions: optional(part(1, seLinuxOptions)),
  windowsOptions: optional(part(8, windowsSecurityContextOptions)),
  runAsUser: optional(int64(2)),
  runAsGroup: optional(int64(6)),
  runAsNonRoot: optional(boolean(3)),
  supplementalGroups: listOf(4, { type: 'integer', format: 'int64', default: 0 }, atomic),
  supplementalGroupsPolicy: among(optional(textOf(12, 'api.core.v1.SupplementalGroupsPolicy')), [
    'Merge',
    'Strict',
  ]),
  fsGroup: optional(int64(5)),
  sysctls: listOf(7, sysctl, atomic),
  fsGroupChangePolicy: among(optional(textOf(9, 'api.core.v1.PodFSGroupChangePolicy')), [
    'Always',
    'OnRootMismatch',
  ]),
  seccompProfile: optional(part(10, seccompProfile)),
  appArmorProfile: optional(part(11, appArmorProfile)),
  seLinuxChangePolicy: optional(textOf(13, 'api.core.v1.PodSELinuxChangePolicy')),
});
