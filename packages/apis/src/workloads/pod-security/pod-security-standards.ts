import type { ApiObject } from '@ashlar/core';
import * as baseline from './baseline-rules.ts';
import type { SecurityStandard } from './pod-security-levels.ts';
import * as restricted from './restricted-rules.ts';
import type { CheckedPod, SecuredPodSpec, Violation } from './secured-pod.ts';

interface Check {
  readonly level: 'baseline' | 'restricted';
  /** The rule from a minor version of 1.x on; the newest first. */
  readonly rules: readonly (readonly [since: number, rule: baseline.SecurityRule])[];
  /** The check of the level below that this one replaces. */
  readonly replaces?: string;
}

const SELINUX_TYPES = ['', 'container_t', 'container_init_t', 'container_kvm_t'];
const SYSCTLS_0 = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const SYSCTLS_27 = [...SYSCTLS_0, 'net.ipv4.ip_local_reserved_ports'];
const SYSCTLS_29 = [
  ...SYSCTLS_27,
  ...['keepalive_time', 'fin_timeout', 'keepalive_intvl', 'keepalive_probes'].map(
    (name) => `net.ipv4.tcp_${name}`,
  ),
];
const SYSCTLS_32 = [...SYSCTLS_29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];

const sysctls = (names: readonly string[]): baseline.SecurityRule => baseline.sysctls(new Set(names));
const seLinux = (types: readonly string[]): baseline.SecurityRule => baseline.seLinuxOptions(new Set(types));
const always = (rule: baseline.SecurityRule): Check['rules'] => [[0, rule]];
const { unlessWindows } = restricted;

/** In the order in which violations are reported. */
const CHECKS: Readonly<Record<string, Check>> = {
  appArmorProfile: { level: 'baseline', rules: always(baseline.appArmorProfile) },
  capabilities: { level: 'baseline', rules: always(baseline.usualCapabilities) },
  hostNamespaces: { level: 'baseline', rules: always(baseline.hostNamespaces) },
  hostPathVolumes: { level: 'baseline', rules: always(baseline.hostPathVolumes) },
  hostPorts: { level: 'baseline', rules: always(baseline.hostPorts) },
  privileged: { level: 'baseline', rules: always(baseline.privileged) },
  procMount: { level: 'baseline', rules: always(baseline.procMount) },
  seLinuxOptions: {
    level: 'baseline',
    rules: [
      [31, seLinux([...SELINUX_TYPES, 'container_engine_t'])],
      [0, seLinux(SELINUX_TYPES)],
    ],
  },
  seccompProfile: {
    level: 'baseline',
    rules: [
      [19, baseline.seccompProfile],
      [0, baseline.seccompAnnotations],
    ],
  },
  sysctls: {
    level: 'baseline',
    rules: [
      [32, sysctls(SYSCTLS_32)],
      [29, sysctls(SYSCTLS_29)],
      [27, sysctls(SYSCTLS_27)],
      [0, sysctls(SYSCTLS_0)],
    ],
  },
  windowsHostProcess: { level: 'baseline', rules: always(baseline.windowsHostProcess) },
  allowPrivilegeEscalation: {
    level: 'restricted',
    rules: [
      [25, unlessWindows(restricted.noEscalation)],
      [8, restricted.noEscalation],
    ],
  },
  droppedCapabilities: {
    level: 'restricted',
    replaces: 'capabilities',
    rules: [
      [25, unlessWindows(restricted.droppedCapabilities)],
      [22, restricted.droppedCapabilities],
    ],
  },
  restrictedVolumes: {
    level: 'restricted',
    replaces: 'hostPathVolumes',
    rules: always(restricted.restrictedVolumes),
  },
  runAsNonRoot: { level: 'restricted', rules: always(restricted.runAsNonRoot) },
  runAsUser: { level: 'restricted', rules: [[23, restricted.runAsUser]] },
  requiredSeccompProfile: {
    level: 'restricted',
    replaces: 'seccompProfile',
    rules: [
      [25, unlessWindows(restricted.requiredSeccompProfile)],
      [19, restricted.requiredSeccompProfile],
    ],
  },
};

/** Returns how a pod, or a template of pods, violates a standard. */
export function standardViolations(
  standard: SecurityStandard,
  metadata: ApiObject['metadata'] | undefined,
  spec: SecuredPodSpec,
  labelDomain: string,
): readonly Violation[] {
  const { initContainers = [], containers, ephemeralContainers = [] } = spec;
  const pod: CheckedPod = {
    spec,
    labelDomain,
    annotations: metadata?.annotations ?? {},
    containers: [...initContainers, ...(containers ?? []), ...ephemeralContainers],
  };
  return rulesOf(standard).flatMap((rule) => rule(pod) ?? []);
}

function rulesOf({
  level,
  minor = Number.POSITIVE_INFINITY,
}: SecurityStandard): readonly baseline.SecurityRule[] {
  if (level === 'privileged') return [];
  const rules = new Map<string, baseline.SecurityRule>();
  for (const [name, check] of Object.entries(CHECKS)) {
    if (check.level === 'restricted' && level === 'baseline') continue;
    const rule = check.rules.find(([since]) => minor >= since)?.[1];
    if (!rule) continue;
    if (check.replaces) rules.delete(check.replaces);
    rules.set(name, rule);
  }
  return [...rules.values()];
}

/** Violations as a refusal prints them. */
export const violationsText = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => (detail ? `${reason} (${detail})` : reason)).join(', ');
