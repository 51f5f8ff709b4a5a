import {
  type AggregatedRole,
  compactRules,
  type RoleBinding,
  type RoleSubject,
  uncoveredRules,
} from '@ashlar/authz';
import type { ApiObject, Vocabulary } from '@ashlar/core';
import { defaultRoles } from './default-roles.ts';

/** Access to the stored objects of one type. */
export interface ReconciledObjects {
  get(namespace: string, name: string): Promise<ApiObject | undefined>;
  create(object: ApiObject): Promise<void>;
  update(object: ApiObject): Promise<void>;
  delete(object: ApiObject): Promise<void>;
}

/** The types that {@link reconcileDefaultRoles} writes. */
export interface ReconciledRoles {
  readonly clusterRoles: ReconciledObjects;
  readonly clusterRoleBindings: ReconciledObjects;
  readonly roles: ReconciledObjects;
  readonly roleBindings: ReconciledObjects;
}

/**
 * Creates the default roles and bindings, and restores missing rules, subjects and labels of existing ones.
 * Additions of users remain. A binding to another role is recreated. Objects with `autoupdate: "false"` are
 * not modified (semantics/access#default-roles).
 */
export async function reconcileDefaultRoles(objects: ReconciledRoles, vocabulary: Vocabulary): Promise<void> {
  const defaults = defaultRoles(vocabulary);
  const autoupdate = `rbac.authorization.${vocabulary.labelDomain}/autoupdate`;
  for (const plural of ['clusterRoles', 'roles'] as const)
    for (const role of defaults[plural]) await reconcile(objects[plural], role, completeRole, autoupdate);
  for (const plural of ['clusterRoleBindings', 'roleBindings'] as const)
    for (const binding of defaults[plural])
      await reconcile(objects[plural], binding, completeBinding, autoupdate);
}

async function reconcile<T extends ApiObject>(
  objects: ReconciledObjects,
  expected: T,
  complete: (stored: T, expected: T) => T | undefined | 'recreate',
  autoupdate: string,
): Promise<void> {
  const { namespace = '', name = '' } = expected.metadata;
  const stored = (await objects.get(namespace, name)) as T | undefined;
  if (!stored) return objects.create(expected);
  if (stored.metadata.annotations?.[autoupdate] === 'false') return;
  const completed = complete(stored, expected);
  if (completed === 'recreate') {
    await objects.delete(stored);
    await objects.create(expected);
  } else if (completed) await objects.update(completed);
}

/** The stored role with missing parts added; undefined if it is complete. */
function completeRole(stored: AggregatedRole, expected: AggregatedRole): AggregatedRole | undefined {
  const metadata = completeMetadata(stored, expected);
  const missing = compactRules(uncoveredRules(stored.rules ?? [], expected.rules ?? []));
  const lostAggregation = expected.aggregationRule !== undefined && stored.aggregationRule === undefined;
  if (!metadata && missing.length === 0 && !lostAggregation) return undefined;
  return {
    ...stored,
    ...(metadata && { metadata }),
    ...(lostAggregation && { aggregationRule: expected.aggregationRule }),
    rules: [...(stored.rules ?? []), ...missing],
  };
}

function completeBinding(stored: RoleBinding, expected: RoleBinding): RoleBinding | undefined | 'recreate' {
  const { roleRef } = stored;
  if (roleRef?.kind !== expected.roleRef?.kind || roleRef?.name !== expected.roleRef?.name) return 'recreate';
  const metadata = completeMetadata(stored, expected);
  const has = (subject: RoleSubject): boolean =>
    (stored.subjects ?? []).some(
      ({ kind, name, namespace }) =>
        kind === subject.kind && name === subject.name && namespace === subject.namespace,
    );
  const missing = (expected.subjects ?? []).filter((subject) => !has(subject));
  if (!metadata && missing.length === 0) return undefined;
  const subjects = [...(stored.subjects ?? []), ...missing];
  return { ...stored, ...(metadata && { metadata }), ...(subjects.length > 0 && { subjects }) };
}

/** Metadata with missing labels and annotations added; existing ones keep their values. */
function completeMetadata(stored: ApiObject, expected: ApiObject): ApiObject['metadata'] | undefined {
  const { labels = {}, annotations = {} } = expected.metadata;
  const lacks = (
    expectedValues: Readonly<Record<string, string>>,
    values: Readonly<Record<string, string>> | undefined,
  ): boolean => Object.keys(expectedValues).some((key) => values?.[key] === undefined);
  const { metadata } = stored;
  if (!lacks(labels, metadata.labels) && !lacks(annotations, metadata.annotations)) return undefined;
  return {
    ...metadata,
    labels: { ...labels, ...metadata.labels },
    annotations: { ...annotations, ...metadata.annotations },
  };
}
