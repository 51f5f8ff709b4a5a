import type { AdmissionRequest } from '@ashlar/admission';
import { type Ambient, type ApiObject, compareUtf8, type MaybePromise, type Vocabulary } from '@ashlar/core';
import type { Toleration } from '../pods/placement-types.ts';
import type { TolerationSeconds } from './default-tolerations.ts';

/** What the plugins of workloads consult. */
export interface WorkloadAdmissionOptions {
  readonly vocabulary: Vocabulary;
  /** With it, long work is done with pauses. */
  readonly ambient?: Pick<Ambient, 'clock' | 'turns'>;
  /**
   * Returns the stored objects of a type that is not namespaced; a cached state is sufficient.
   * @param group without the vocabulary's domain: `scheduling.`
   */
  stored(group: string, resource: string): Promise<readonly ApiObject[]>;
  /** Returns the namespace of that name; a cached state is sufficient. */
  namespace(name: string): MaybePromise<ApiObject | undefined>;
  /** Node selectors by namespace, for the plugin PodNodeSelector. */
  readonly selectors?: Readonly<Record<string, string>>;
  /** Tolerations that pods get, and those that they may have, for the plugin PodTolerationRestriction. */
  readonly tolerations?: {
    readonly default?: readonly Toleration[];
    readonly whitelist?: readonly Toleration[];
  };
  /** How long pods stay on a node that fails, for the plugin DefaultTolerationSeconds. */
  readonly tolerationSeconds?: TolerationSeconds;
  /** Returns the limit ranges in the namespace of a request; a cached state is sufficient. */
  limitRanges(request: AdmissionRequest): MaybePromise<readonly ApiObject[]>;
}

/** Returns the stored object of a name. */
export async function storedNamed(
  { stored }: WorkloadAdmissionOptions,
  group: string,
  resource: string,
  name: string,
): Promise<ApiObject | undefined> {
  return (await stored(group, resource)).find(({ metadata }) => metadata.name === name);
}

/** Of equally old ones, the first by name comes first. */
export function newestFirst({ metadata: a }: ApiObject, { metadata: b }: ApiObject): number {
  const [older, newer] = [a.creationTimestamp ?? '', b.creationTimestamp ?? ''];
  return older === newer ? compareUtf8(a.name ?? '', b.name ?? '') : older < newer ? 1 : -1;
}
