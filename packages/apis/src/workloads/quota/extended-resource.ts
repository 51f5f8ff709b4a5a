/** Whether the name of a resource of nodes has the domain of someone else than the platform. */
export const isForeignResource = (name: string): boolean =>
  name.includes('/') && !/(?:kubernetes|orch)\.io\//.test(name);

/** Whether containers may request a resource that is not one of the platform. */
export const isExtendedResource = (name: string): boolean =>
  isForeignResource(name) && !name.startsWith('requests.');
