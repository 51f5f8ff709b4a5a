import { type JsonValue, jsonEqual, type Vocabulary } from '@ashlar/core';
import type { Pod, PodSpec } from '../core/pod-types.ts';
import type { Container } from '../pods/container-types.ts';
import { appArmorErrors } from '../pods/security-profiles.ts';
import type { SecurityProfile } from '../pods/security-types.ts';

/** The containers of a pod, in the order in which they are visited. */
export const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Prefix of the annotations that were the AppArmor profiles of containers before there was a field. */
export const appArmorPrefix = ({ labelDomain }: Vocabulary): string =>
  `container.apparmor.security.beta.${labelDomain}/`;

const annotationOf = (container: string, vocabulary: Vocabulary): string =>
  appArmorPrefix(vocabulary) + container;

/** Prefix of the values that name a profile of the host. */
export const LOCALHOST = 'localhost/';

/**
 * Gives containers of a new pod the AppArmor profile of their annotation if they have no field, and the annotation of their field if
 * they have no annotation, so that nodes of any version see it (semantics/verbs#profiles-of-apparmor).
 */
export function withAppArmorProfiles(pod: Pod, vocabulary: Vocabulary): Pod {
  const { spec = {}, metadata } = pod;
  if (spec.os?.name === 'windows') return pod;
  const added: Record<string, string> = {};
  const lists = CONTAINER_LISTS.flatMap((list) => {
    const containers = spec[list];
    const synced = containers?.map((container) => {
      const key = annotationOf(container.name ?? '', vocabulary);
      const annotation = metadata.annotations?.[key];
      if (annotation !== undefined) return withField(container, annotation, spec);
      const text = annotationFor(container.securityContext?.appArmorProfile ?? podProfile(spec));
      if (text !== '') added[key] = text;
      return container;
    });
    return synced?.some((container, i) => container !== containers?.[i]) ? [[list, synced] as const] : [];
  });
  const isAnnotated = Object.keys(added).length > 0;
  if (!isAnnotated && lists.length === 0) return pod;
  return {
    ...pod,
    ...(isAnnotated && { metadata: { ...metadata, annotations: { ...metadata.annotations, ...added } } }),
    ...(lists.length > 0 && { spec: { ...spec, ...Object.fromEntries(lists) } }),
  };
}

/** Warnings of annotations of a new pod that fields should replace. */
export function appArmorWarnings({ spec = {}, metadata }: Pod, vocabulary: Vocabulary): readonly string[] {
  const { annotations } = metadata;
  if (!annotations || spec.os?.name === 'windows') return [];
  return CONTAINER_LISTS.flatMap((list) => spec[list] ?? []).flatMap((container) => {
    const key = annotationOf(container.name ?? '', vocabulary);
    const text = annotations[key];
    if (text === undefined || container.securityContext?.appArmorProfile) return [];
    const isKnown = profileFor(text) !== undefined && withField(container, text, spec) === container;
    return isKnown
      ? []
      : [`metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`];
  });
}

const podProfile = ({ securityContext }: PodSpec): SecurityProfile | undefined =>
  securityContext?.appArmorProfile;

/** The container with the profile of its annotation, unless it has one, or the pod has the same. */
function withField(container: Container, annotation: string, spec: PodSpec): Container {
  if (container.securityContext?.appArmorProfile) return container;
  const profile = profileFor(annotation);
  if (!profile || sameProfile(profile, podProfile(spec))) return container;
  return { ...container, securityContext: { ...container.securityContext, appArmorProfile: profile } };
}

const sameProfile = (one: SecurityProfile, other: SecurityProfile | undefined): boolean =>
  other !== undefined && jsonEqual(one as unknown as JsonValue, other as unknown as JsonValue);

/** The profile that an annotation names; undefined if it names none that is valid. */
function profileFor(annotation: string): SecurityProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (!annotation.startsWith(LOCALHOST)) return undefined;
  const profile = { type: 'Localhost', localhostProfile: annotation.slice(LOCALHOST.length) };
  return appArmorErrors(profile, '').length === 0 ? profile : undefined;
}

/** The value of the annotation for a profile; empty if there is none. */
export function annotationFor({ type, localhostProfile = '' }: SecurityProfile = {}): string {
  if (type === 'Unconfined') return 'unconfined';
  if (type === 'RuntimeDefault') return 'runtime/default';
  return type === 'Localhost' && localhostProfile !== '' ? LOCALHOST + localhostProfile : '';
}
