import { choiceErrors, type FieldError, FieldErrors, fieldErrorsOf } from '@ashlar/core';
import type { PodSpec } from '../core/pod-types.ts';
import { each, invalidWhen, NO_ERRORS, named, repetition, within } from '../field-rules.ts';
import { appArmorErrors, seccompErrors } from './security-profiles.ts';
import type { PodSecurityContext, SecurityContext, Sysctl } from './security-types.ts';
import { windowsOptionsErrors } from './windows-options.ts';

const LARGEST_ID = 2_147_483_647;

/** Errors of the number of a user or a group. */
export const identityErrors = (path: string, id: number | undefined): readonly FieldError[] =>
  within(path, id, 0, LARGEST_ID);

/** Errors of the privileges of a container. @param sharesUsers whether its users are those of the host */
export function securityContextErrors(
  context: SecurityContext | undefined,
  sharesUsers: boolean,
  path: string,
): readonly FieldError[] {
  if (!context) return NO_ERRORS;
  const { runAsUser, runAsGroup, procMount } = context;
  return [
    ...identityErrors(`${path}.runAsUser`, runAsUser),
    ...identityErrors(`${path}.runAsGroup`, runAsGroup),
    ...choiceErrors(`${path}.procMount`, procMount, ['Default', 'Unmasked']),
    ...invalidWhen(
      sharesUsers && procMount === 'Unmasked',
      `${path}.procMount`,
      procMount,
      '`hostUsers` must be false to use `Unmasked`',
    ),
    ...seccompErrors(context.seccompProfile, `${path}.seccompProfile`),
    ...escalationErrors(context, path),
    ...windowsOptionsErrors(context.windowsOptions, `${path}.windowsOptions`),
    ...appArmorErrors(context.appArmorProfile, `${path}.appArmorProfile`),
  ];
}

/** Who has all privileges cannot be kept from getting more. */
function escalationErrors(context: SecurityContext, path: string): readonly FieldError[] {
  const { allowPrivilegeEscalation, privileged, capabilities } = context;
  if (allowPrivilegeEscalation !== false) return NO_ERRORS;
  const both = 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true';
  const admin = 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN';
  return [
    ...invalidWhen(privileged === true, path, context, both),
    ...fieldErrorsOf(capabilities?.add ?? [], (name) =>
      invalidWhen(name === 'CAP_SYS_ADMIN', path, context, admin),
    ),
  ];
}

/** Errors of the privileges of a pod. */
export function podSecurityContextErrors(spec: PodSpec, path: string): readonly FieldError[] {
  const { securityContext: context, hostPID, shareProcessNamespace } = spec;
  const both = 'ShareProcessNamespace and HostPID cannot both be enabled';
  return [
    ...(context ? identitiesErrors(context, path) : NO_ERRORS),
    ...invalidWhen(
      hostPID === true && shareProcessNamespace === true,
      `${path}.shareProcessNamespace`,
      true,
      both,
    ),
    ...(context
      ? [
          ...sysctlsErrors(context.sysctls, spec, `${path}.sysctls`),
          ...choiceErrors(`${path}.fsGroupChangePolicy`, context.fsGroupChangePolicy, [
            'Always',
            'OnRootMismatch',
          ]),
          ...seccompErrors(context.seccompProfile, `${path}.seccompProfile`),
          ...windowsOptionsErrors(context.windowsOptions, `${path}.windowsOptions`),
          ...appArmorErrors(context.appArmorProfile, `${path}.appArmorProfile`),
        ]
      : NO_ERRORS),
  ];
}

function identitiesErrors(context: PodSecurityContext, path: string): readonly FieldError[] {
  return [
    ...identityErrors(`${path}.fsGroup`, context.fsGroup),
    ...identityErrors(`${path}.runAsUser`, context.runAsUser),
    ...identityErrors(`${path}.runAsGroup`, context.runAsGroup),
    ...each(`${path}.supplementalGroups`, context.supplementalGroups, (id, at) => identityErrors(at, id)),
  ];
}

const SEGMENT = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SYSCTL = `^(${SEGMENT}[\\./])*${SEGMENT}$`;
const LONGEST_SYSCTL = 253;

function sysctlWhys(name: string): readonly string[] {
  const isWellFormed = (): boolean =>
    name.split(/[./]/).every((segment) => /^[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/.test(segment));
  return name.length <= LONGEST_SYSCTL && isWellFormed()
    ? []
    : [`must have at most ${LONGEST_SYSCTL} characters and match regex ${SYSCTL}`];
}

function sysctlsErrors(
  sysctls: readonly Sysctl[] | undefined,
  { hostNetwork, hostIPC }: PodSpec,
  path: string,
): readonly FieldError[] {
  const repeated = repetition();
  return each(path, sysctls, ({ name = '' }, at) => {
    const wrong = named(`${at}.name`, name, sysctlWhys);
    const isRepeated = repeated(name) && wrong.length === 0;
    const scope = sysctlScope(name);
    return [
      ...wrong,
      ...(isRepeated ? [FieldErrors.duplicate(`${at}.name`, name)] : NO_ERRORS),
      ...invalidWhen(
        scope === 'network' && hostNetwork === true,
        `${at}.name`,
        name,
        "may not be specified when 'hostNetwork' is true",
      ),
      ...invalidWhen(
        scope === 'messages' && hostIPC === true,
        `${at}.name`,
        name,
        "may not be specified when 'hostIPC' is true",
      ),
    ];
  });
}

/** Parameters of shared memory, semaphores and messages between processes. */
const MESSAGES: ReadonlySet<string> = new Set(
  ['sem', 'shm', 'shmall', 'shmmax', 'shmmni', 'shm_rmid_forced', 'msg', 'msgmax', 'msgmnb', 'msgmni'].map(
    (name) => `kernel.${name}`,
  ),
);

/** What a parameter of the kernel belongs to. Slashes may stand for its dots. */
function sysctlScope(name: string): 'network' | 'messages' | undefined {
  // all that have a scope are told by less
  const start = name.slice(0, LONGEST_SYSCTL);
  const first = /[./]/.exec(start)?.[0];
  const dotted = first === '/' ? start.replace(/[./]/g, (sign) => (sign === '/' ? '.' : '/')) : start;
  if (dotted.startsWith('net.')) return 'network';
  return MESSAGES.has(dotted) || dotted.startsWith('fs.mqueue.') ? 'messages' : undefined;
}
