import { goQuote } from '@ashlar/core';
import {
  type CheckedPod,
  containersText,
  plural,
  quoted,
  type SecuredContainer,
  settersText,
  sortedSet,
  type Violation,
} from './secured-pod.ts';

/** A rule of pod security: how a pod breaks it. */
export type SecurityRule = (pod: CheckedPod) => Violation | undefined;

const RUNTIME_DEFAULT = 'runtime/default';
const LOCALHOST = 'localhost/';

export const appArmorProfile: SecurityRule = ({ spec, annotations, labelDomain, containers }) => {
  const isBad = (type: string | undefined): boolean => type !== 'RuntimeDefault' && type !== 'Localhost';
  const ofPod = spec.securityContext?.appArmorProfile;
  const bad = containers.filter(({ securityContext }) => {
    const profile = securityContext?.appArmorProfile;
    return profile && isBad(profile.type);
  });
  const isPod = ofPod !== undefined && isBad(ofPod.type);
  const types = [...(isPod ? [ofPod.type ?? ''] : []), ...bad.map((each) => profileType(each))];
  const prefix = `container.apparmor.security.beta.${labelDomain}/`;
  const notes = Object.entries(annotations)
    .filter(([key, value]) => key.startsWith(prefix) && !isKnownNote(value))
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .sort();
  const setters = [
    settersText(isPod, bad),
    notes.length > 0 ? plural(notes.length, 'annotation') : undefined,
  ];
  const who = setters.filter((each) => each !== undefined).join(' and ');
  if (who === '') return undefined;
  const values = [...sortedSet(types), ...notes];
  return {
    reason: plural(values.length, 'forbidden AppArmor profile'),
    detail: `${who} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

const profileType = ({ securityContext }: SecuredContainer): string =>
  securityContext?.appArmorProfile?.type ?? '';

const isKnownNote = (value: string): boolean =>
  value === '' || value === RUNTIME_DEFAULT || value.startsWith(LOCALHOST);

const USUAL_CAPABILITIES: ReadonlySet<string> = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
);

export const usualCapabilities: SecurityRule = ({ containers }) => {
  const added = ({ securityContext }: SecuredContainer): readonly string[] =>
    (securityContext?.capabilities?.add ?? []).filter((name) => !USUAL_CAPABILITIES.has(name));
  const bad = containers.filter((each) => added(each).length > 0);
  if (bad.length === 0) return undefined;
  return { reason: 'non-default capabilities', detail: addedText(bad, added) };
};

/** Which capabilities containers must not add. */
export const addedText = (
  bad: readonly SecuredContainer[],
  added: (container: SecuredContainer) => readonly string[],
): string =>
  `${containersText(bad)} must not include ${quoted(sortedSet(bad.flatMap(added)))} in securityContext.capabilities.add`;

export const hostNamespaces: SecurityRule = ({ spec }) => {
  const used = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec[name]);
  if (used.length === 0) return undefined;
  return { reason: 'host namespaces', detail: used.map((name) => `${name}=true`).join(', ') };
};

export const hostPathVolumes: SecurityRule = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter(({ hostPath }) => hostPath);
  if (bad.length === 0) return undefined;
  const names = quoted(bad.map(({ name = '' }) => name));
  return { reason: 'hostPath volumes', detail: `${plural(bad.length, 'volume')} ${names}` };
};

export const hostPorts: SecurityRule = ({ containers }) => {
  const portsOf = ({ ports = [] }: SecuredContainer): readonly string[] =>
    ports.flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []));
  const bad = containers.filter((each) => portsOf(each).length > 0);
  if (bad.length === 0) return undefined;
  const ports = sortedSet(bad.flatMap(portsOf));
  const uses = plural(bad.length, 'uses', 'use');
  return {
    reason: 'hostPort',
    detail: `${containersText(bad)} ${uses} ${plural(ports.length, 'hostPort')} ${ports.join(', ')}`,
  };
};

export const privileged: SecurityRule = ({ containers }) => {
  const bad = containers.filter(({ securityContext }) => securityContext?.privileged);
  if (bad.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${containersText(bad)} must not set securityContext.privileged=true`,
  };
};

export const procMount: SecurityRule = ({ containers }) => {
  const typeOf = ({ securityContext }: SecuredContainer): string => securityContext?.procMount ?? 'Default';
  const bad = containers.filter((each) => typeOf(each) !== 'Default');
  if (bad.length === 0) return undefined;
  const types = quoted(sortedSet(bad.map(typeOf)));
  return {
    reason: 'procMount',
    detail: `${containersText(bad)} must not set securityContext.procMount to ${types}`,
  };
};

/** @param types allowed types */
export const seLinuxOptions =
  (types: ReadonlySet<string>): SecurityRule =>
  ({ spec, containers }) => {
    type Options = NonNullable<NonNullable<SecuredContainer['securityContext']>['seLinuxOptions']>;
    const isBad = (options: Options | undefined): options is Options =>
      options !== undefined && (!types.has(options.type ?? '') || Boolean(options.user || options.role));
    const ofPod = spec.securityContext?.seLinuxOptions;
    const bad = containers.filter(({ securityContext }) => isBad(securityContext?.seLinuxOptions));
    const who = settersText(isBad(ofPod), bad);
    if (who === undefined) return undefined;
    const options = [ofPod, ...bad.map(({ securityContext }) => securityContext?.seLinuxOptions)].filter(
      isBad,
    );
    const badTypes = sortedSet(options.map(({ type = '' }) => type).filter((type) => !types.has(type)));
    const what = [
      ...(badTypes.length > 0 ? [`${plural(badTypes.length, 'type')} ${quoted(badTypes)}`] : []),
      ...(options.some(({ user }) => user) ? ['user may not be set'] : []),
      ...(options.some(({ role }) => role) ? ['role may not be set'] : []),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${who} set forbidden securityContext.seLinuxOptions: ${what.join('; ')}`,
    };
  };

/** Before profiles were fields. */
export const seccompAnnotations: SecurityRule = ({ annotations, labelDomain, containers }) => {
  const keys = [
    `seccomp.security.alpha.${labelDomain}/pod`,
    ...containers.map(({ name }) => `container.seccomp.security.alpha.${labelDomain}/${name}`),
  ];
  const isKnown = (value: string): boolean =>
    value === RUNTIME_DEFAULT || value === 'docker/default' || value.startsWith(LOCALHOST);
  const bad = sortedSet(
    keys
      .filter((key) => annotations[key] !== undefined && !isKnown(annotations[key]))
      .map((key) => `${key}=${goQuote(annotations[key] ?? '')}`),
  );
  if (bad.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${plural(bad.length, 'annotation')} ${bad.join(', ')}`,
  };
};

export const seccompProfile: SecurityRule = ({ spec, containers }) => {
  const ofPod = spec.securityContext?.seccompProfile;
  const isPod = ofPod !== undefined && !isProfile(ofPod.type);
  const bad = containers.filter(({ securityContext }) => {
    const profile = securityContext?.seccompProfile;
    return profile && !isProfile(profile.type);
  });
  const who = settersText(isPod, bad);
  if (who === undefined) return undefined;
  const types = bad.map(({ securityContext }) => securityContext?.seccompProfile?.type ?? '');
  const values = quoted(sortedSet([...(isPod ? [ofPod.type ?? ''] : []), ...types]));
  return {
    reason: 'seccompProfile',
    detail: `${who} must not set securityContext.seccompProfile.type to ${values}`,
  };
};

const isProfile = (type: string | undefined): boolean => type === 'Localhost' || type === 'RuntimeDefault';

/** @param names allowed names */
export const sysctls =
  (names: ReadonlySet<string>): SecurityRule =>
  ({ spec }) => {
    const set = (spec.securityContext?.sysctls ?? []).map(({ name = '' }) => name);
    const bad = set.filter((name) => !names.has(name));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
  };

export const windowsHostProcess: SecurityRule = ({ spec, containers }) => {
  const bad = containers.filter(({ securityContext }) => securityContext?.windowsOptions?.hostProcess);
  const who = settersText(spec.securityContext?.windowsOptions?.hostProcess === true, bad);
  if (who === undefined) return undefined;
  return {
    reason: 'hostProcess',
    detail: `${who} must not set securityContext.windowsOptions.hostProcess=true`,
  };
};
