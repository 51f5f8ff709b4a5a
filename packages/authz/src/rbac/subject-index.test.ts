import type { UserInfo } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RoleBinding, RoleSubject } from './rbac-objects.ts';
import { SubjectIndex } from './subject-index.ts';

const binding = (name: string, subjects: RoleBinding['subjects']): RoleBinding => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name, namespace: 'ns' },
  ...(subjects && { subjects }),
});

const namesOf = (index: SubjectIndex, user: UserInfo) =>
  index.of(user).map((each) => each.binding.metadata.name);
const user = (name: string, groups: readonly string[] = []): UserInfo => ({ name, groups });

function isSubject(subject: RoleSubject, { metadata }: RoleBinding, { name, groups }: UserInfo): boolean {
  const account = `system:serviceaccount:${subject.namespace || metadata.namespace}:${subject.name}`;
  if (subject.kind === 'Group') return groups.includes(subject.name ?? '');
  return subject.kind === 'User'
    ? subject.name === name
    : subject.kind === 'ServiceAccount' && account === name;
}

describe('SubjectIndex', () => {
  it('finds a binding once by user and group', () => {
    const index = new SubjectIndex();
    index.set(
      'both',
      binding('both', [
        { kind: 'Group', name: 'dev' },
        { kind: 'User', name: 'al' },
      ]),
    );
    expect(namesOf(index, user('al', ['dev']))).toEqual(['both']);
  });

  it('finds service accounts by user name', () => {
    const index = new SubjectIndex();
    index.set('home', binding('home', [{ kind: 'ServiceAccount', name: 'robot' }]));
    index.set('away', binding('away', [{ kind: 'ServiceAccount', name: 'robot', namespace: 'other' }]));
    expect(namesOf(index, user('system:serviceaccount:ns:robot'))).toEqual(['home']);
    expect(namesOf(index, user('system:serviceaccount:other:robot'))).toEqual(['away']);
  });

  it('distinguishes a user from a group of the same name', () => {
    const index = new SubjectIndex();
    index.set('group', binding('group', [{ kind: 'Group', name: 'al' }]));
    expect(namesOf(index, user('al'))).toEqual([]);
  });

  it('preserves the position of a changed binding', () => {
    const index = new SubjectIndex();
    const subjects = [{ kind: 'User', name: 'al' }];
    for (const name of ['a', 'b', 'c']) index.set(name, binding(name, subjects));
    index.set('b', binding('b', [...subjects, { kind: 'User', name: 'bo' }]));
    expect(namesOf(index, user('al'))).toEqual(['a', 'b', 'c']);
  });

  it('equals a scan of all bindings, in order of creation, each by its first subject', () => {
    const subject = fc.record({
      kind: fc.constantFrom('User', 'Group', 'ServiceAccount', 'Robot'),
      name: fc.constantFrom('al', 'bo', 'dev', 'system:serviceaccount:ns:al'),
      namespace: fc.constantFrom('', 'ns', 'other'),
    });
    const change = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      subjects: fc.option(fc.array(subject, { maxLength: 4 })),
    });
    const asker = fc.record({
      name: fc.constantFrom('al', 'bo', 'system:serviceaccount:ns:al', 'system:serviceaccount:other:bo'),
      groups: fc.array(fc.constantFrom('dev', 'al'), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), asker, (changes, who) => {
        const index = new SubjectIndex();
        const model = new Map<string, RoleBinding>();
        for (const { name, subjects } of changes) {
          if (subjects) index.set(name, binding(name, subjects));
          else index.delete(name);
          // a map preserves the position of a key whose value changes
          if (subjects) model.set(name, binding(name, subjects));
          else model.delete(name);
        }
        const bound = [...model.values()].filter((each) =>
          each.subjects?.some((named) => isSubject(named, each, who)),
        );
        expect(index.size).toBe(model.size);
        expect(index.of(who).map((each) => each.binding)).toEqual(bound);
        expect(index.of(who).map(({ subject }) => subject)).toEqual(
          bound.map((each) => each.subjects?.find((named) => isSubject(named, each, who))),
        );
      }),
    );
  });
});
