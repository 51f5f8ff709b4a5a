import type { Vocabulary } from '@ashlar/core';

/** Whether the name of a resource of nodes has the domain of someone else than the platform. */
export const isDomainQualifiedResource = (name: string, { labelDomain }: Vocabulary): boolean =>
  name.includes('/') && !name.includes(`${labelDomain}/`);

/** Whether containers may request a resource that is not one of the platform. */
export const isExtendedResource = (name: string, vocabulary: Vocabulary): boolean =>
  isDomainQualifiedResource(name, vocabulary) && !name.startsWith('requests.');
