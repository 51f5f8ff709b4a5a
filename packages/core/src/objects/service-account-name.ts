import { dns1123LabelErrors, dns1123SubdomainErrors } from '../validation/names.ts';

const PREFIX = 'system:serviceaccount:';

/** The namespace and name in the user name of a service account. */
export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

/** Parses `system:serviceaccount:<namespace>:<name>`; undefined for every other user, also one whose namespace or name none can have. */
export function parseServiceAccountName(user: string): ServiceAccountName | undefined {
  if (!user.startsWith(PREFIX)) return undefined;
  const parts = user.slice(PREFIX.length).split(':');
  const [namespace = '', name = ''] = parts;
  if (parts.length !== 2) return undefined;
  const isValid = dns1123LabelErrors(namespace).length === 0 && dns1123SubdomainErrors(name).length === 0;
  return isValid ? { namespace, name } : undefined;
}

/** The user name of a service account. */
export const serviceAccountUserName = ({ namespace, name }: ServiceAccountName): string =>
  `${PREFIX}${namespace}:${name}`;
