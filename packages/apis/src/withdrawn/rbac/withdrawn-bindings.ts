import { type ApiObject, groupName, type Vocabulary } from '@ashlar/core';
import { storageVersion } from '@ashlar/registry';
import { clusterRoleBindings, roleBindings } from '../../rbac/role-bindings.ts';
import { revisedSchema } from '../revised-schema.ts';
import { type WithdrawnVersion, withdrawnVersion } from '../withdrawn-version.ts';

interface Subject {
  readonly kind?: string;
  readonly apiGroup?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** A subject had a version in place of a group. */
interface OldSubject extends Omit<Subject, 'apiGroup'> {
  readonly apiVersion?: string;
}

interface Binding<S> extends ApiObject {
  readonly subjects?: readonly S[];
}

const VERSION = 'v1alpha1';

/** Bindings in version v1alpha1. */
export function withdrawnBindings(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  const group = groupName(vocabulary, 'rbac.authorization.');
  return [clusterRoleBindings(vocabulary), roleBindings(vocabulary)].map((current) => {
    const stored = storageVersion(current);
    const toCurrent = (object: Binding<OldSubject>): ApiObject =>
      withSubjects(object, `${group}/v1`, (subject) => currentSubject(subject, group));
    const fromCurrent = (object: Binding<Subject>): ApiObject =>
      withSubjects(object, `${group}/${VERSION}`, (subject) => oldSubject(subject, group));
    return withdrawnVersion(
      current,
      { version: VERSION },
      {
        schema: revisedSchema(
          stored.schema,
          {
            'api.rbac.v1.Subject': ({ kind, apiGroup, ...fields }) => ({
              ...(kind && { kind }),
              ...(apiGroup && { apiVersion: apiGroup }),
              ...fields,
            }),
          },
          ['api.rbac.v1.', `api.rbac.${VERSION}.`],
        ),
        complete: (object) => fromCurrent(stored.complete?.(toCurrent(object)) ?? toCurrent(object)),
        toCurrent,
        fromCurrent,
      },
    );
  });
}

const withSubjects = <S, T>(
  { subjects, ...object }: Binding<S>,
  apiVersion: string,
  changed: (subject: S) => T,
): ApiObject => ({
  ...object,
  apiVersion,
  ...(subjects && { subjects: subjects.map(changed) }),
});

/** The user `*` was everybody who is authenticated. */
function currentSubject({ apiVersion = '', ...subject }: OldSubject, group: string): Subject {
  const slash = apiVersion.indexOf('/');
  const named = slash < 0 ? '' : apiVersion.slice(0, slash);
  if (subject.kind === 'ServiceAccount') return subject;
  const isOurs = subject.kind === 'User' || subject.kind === 'Group';
  const apiGroup = isOurs ? group : named;
  const current = { ...subject, ...(apiGroup && { apiGroup }) };
  if (subject.kind !== 'User' || subject.name !== '*') return current;
  return { ...current, kind: 'Group', name: 'system:authenticated' };
}

function oldSubject({ apiGroup = '', ...subject }: Subject, group: string): OldSubject {
  if (subject.kind === 'ServiceAccount') return { ...subject, apiVersion: 'v1' };
  const apiVersion = apiGroup === '' || apiGroup === group ? `${group}/${VERSION}` : `${apiGroup}/${VERSION}`;
  return { ...subject, apiVersion };
}
