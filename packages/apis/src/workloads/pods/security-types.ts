/** A profile of seccomp or AppArmor. */
export interface SecurityProfile {
  readonly type?: string;
  readonly localhostProfile?: string;
}

/** What containers on Windows run as. */
export interface WindowsOptions {
  readonly gmsaCredentialSpecName?: string;
  readonly gmsaCredentialSpec?: string;
  readonly runAsUserName?: string;
  readonly hostProcess?: boolean;
}

/** Privileges of a container. */
export interface SecurityContext {
  readonly capabilities?: { readonly add?: readonly string[] };
  readonly privileged?: boolean;
  readonly seLinuxOptions?: object;
  readonly windowsOptions?: WindowsOptions;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly readOnlyRootFilesystem?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly procMount?: string;
  readonly seccompProfile?: SecurityProfile;
  readonly appArmorProfile?: SecurityProfile;
}

/** A parameter of the kernel. */
export interface Sysctl {
  readonly name?: string;
  readonly value?: string;
}

/** Privileges of all containers of a pod. */
export interface PodSecurityContext {
  readonly windowsOptions?: WindowsOptions;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly supplementalGroups?: readonly number[];
  readonly fsGroup?: number;
  readonly sysctls?: readonly Sysctl[];
  readonly fsGroupChangePolicy?: string;
  readonly seccompProfile?: SecurityProfile;
  readonly appArmorProfile?: SecurityProfile;
  readonly supplementalGroupsPolicy?: string;
  readonly seLinuxChangePolicy?: string;
}
