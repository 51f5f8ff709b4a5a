import { type GroupResource, groupResourceText } from '@ashlar/core';

/** Splits the name of a resource in a configuration: `secrets`, `deployments.apps`, `*.`, `*.apps`, `*.*`. */
export function parseEncryptedResource(name: string): GroupResource {
  const dot = name.indexOf('.');
  return dot < 0
    ? { group: '', resource: name }
    : { group: name.slice(dot + 1), resource: name.slice(0, dot) };
}

/** Returns the name as messages print it. */
export function encryptedResourceText(resource: GroupResource): string {
  return resource.group === '' && resource.resource === '*' ? '*.' : groupResourceText(resource);
}

/** Whether a name contains a capital letter of any script. */
export function hasCapital(name: string): boolean {
  return /\p{Lu}/u.test(name);
}
