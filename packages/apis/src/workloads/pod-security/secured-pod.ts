import { compareUtf8 } from '@ashlar/core';
import type { ContainerPort } from '../pods/container-types.ts';
import type { Volume } from '../pods/volumes/volume-types.ts';

// The fields of pods that concern security.

interface SecurityOptions {
  readonly appArmorProfile?: { readonly type?: string };
  readonly seccompProfile?: { readonly type?: string };
  readonly seLinuxOptions?: { readonly type?: string; readonly user?: string; readonly role?: string };
  readonly windowsOptions?: { readonly hostProcess?: boolean };
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
}

/** A container, with what it requests of its node. */
export interface SecuredContainer {
  readonly name?: string;
  readonly image?: string;
  readonly ports?: readonly ContainerPort[];
  readonly securityContext?: SecurityOptions & {
    readonly privileged?: boolean;
    readonly allowPrivilegeEscalation?: boolean;
    readonly procMount?: string;
    readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
  };
}

/** A pod, with what it requests of its node. */
export interface SecuredPodSpec {
  readonly initContainers?: readonly SecuredContainer[];
  readonly containers?: readonly SecuredContainer[] | null;
  readonly ephemeralContainers?: readonly SecuredContainer[];
  readonly volumes?: readonly Volume[];
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly os?: { readonly name?: string };
  readonly runtimeClassName?: string;
  readonly securityContext?: SecurityOptions & { readonly sysctls?: readonly { readonly name?: string }[] };
}

/** The input of a rule. */
export interface CheckedPod {
  readonly spec: SecuredPodSpec;
  readonly annotations: Readonly<Record<string, string>>;
  /** The domain of annotations. */
  readonly labelDomain: string;
  /** All of its containers: those that run first, the usual ones, those that were added later. */
  readonly containers: readonly SecuredContainer[];
}

/** How a pod breaks a rule. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** Names in quotes. */
export const quoted = (names: Iterable<string>): string => [...names].map((name) => `"${name}"`).join(', ');

/** The most texts of one kind that a violation lists: hostile containers have hundreds of thousands. */
const MOST_TEXTS = 10_000;

/** Different texts in their order; of very many those that are found first. */
export function sortedSet(texts: Iterable<string>): readonly string[] {
  const different = new Set<string>();
  for (const text of texts) {
    different.add(text);
    if (different.size === MOST_TEXTS) break;
  }
  return [...different].sort(compareUtf8);
}

export const plural = (count: number, one: string, several = `${one}s`): string =>
  count === 1 ? one : several;

/** `container "a"`, `containers "a", "b"`. */
export const containersText = (containers: readonly SecuredContainer[]): string =>
  `${plural(containers.length, 'container')} ${quoted(containers.map(({ name = '' }) => name))}`;

/** The parts that break a rule: `pod and container "a"`; undefined if there are none. */
export function settersText(isPod: boolean, containers: readonly SecuredContainer[]): string | undefined {
  const setters = [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [containersText(containers)] : [])];
  return setters.length > 0 ? setters.join(' and ') : undefined;
}
