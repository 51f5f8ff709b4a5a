import type { FlowSubject } from '../flow-objects.ts';

const ALL = '*';
const ACCOUNT_PREFIX = 'system:serviceaccount:';

/** A user whose groups are looked up by each subject. */
export interface MatchedUser {
  readonly name: string;
  readonly groups: ReadonlySet<string>;
}

/** Whether a subject of a rule is the user (semantics/requests#priority-and-fairness). Service accounts are recognised by the user name alone. */
export function isSubject(user: MatchedUser, { kind, ...subject }: FlowSubject): boolean {
  if (kind === 'User') return subject.user?.name === ALL || subject.user?.name === user.name;
  if (kind === 'Group') {
    const name = subject.group?.name;
    return name !== undefined && (name === ALL || user.groups.has(name));
  }
  return kind === 'ServiceAccount' && isAccount(user.name, subject.serviceAccount ?? {});
}

function isAccount(
  user: string,
  { namespace = '', name = '' }: NonNullable<FlowSubject['serviceAccount']>,
): boolean {
  const ofNamespace = `${ACCOUNT_PREFIX}${namespace}:`;
  return name === ALL ? user.startsWith(ofNamespace) : user === ofNamespace + name;
}
