import type { ApiObject, Vocabulary } from '@ashlar/core';

/** What the plugins of workloads consult. */
export interface WorkloadAdmissionOptions {
  readonly vocabulary: Vocabulary;
  /**
   * Returns the stored objects of a type that is not namespaced; a cached state is sufficient.
   * @param group without the vocabulary's domain: `scheduling.`
   */
  stored(group: string, resource: string): Promise<readonly ApiObject[]>;
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
