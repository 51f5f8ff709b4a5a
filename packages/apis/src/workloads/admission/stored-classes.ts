import type { AdmissionRequest } from '@ashlar/admission';
import type { ApiObject, MaybePromise, Vocabulary } from '@ashlar/core';

/** What the plugins of workloads consult. */
export interface WorkloadAdmissionOptions {
  readonly vocabulary: Vocabulary;
  /**
   * Returns the stored objects of a type that is not namespaced; a cached state is sufficient.
   * @param group without the vocabulary's domain: `scheduling.`
   */
  stored(group: string, resource: string): Promise<readonly ApiObject[]>;
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
