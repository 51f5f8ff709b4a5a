const PREFIX = 'system:serviceaccount:';

/** The namespace and name in the user name of a service account. */
export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

/** Parses `system:serviceaccount:<namespace>:<name>`; undefined for every other user. */
export function parseServiceAccountName(user: string): ServiceAccountName | undefined {
  if (!user.startsWith(PREFIX)) return undefined;
  const parts = user.slice(PREFIX.length).split(':');
  const [namespace = '', name = ''] = parts;
  return parts.length === 2 && namespace !== '' && name !== '' ? { namespace, name } : undefined;
}

/** The user name of a service account. */
export const serviceAccountUserName = ({ namespace, name }: ServiceAccountName): string =>
  `${PREFIX}${namespace}:${name}`;
