import type { RoleBinding } from '@ashlar/authz';
import { type ApiObject, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { type ReconciledObjects, reconcileDefaultRoles } from './reconcile-default-roles.ts';

/** Objects in a map by namespace and name, and the number of writes. */
class Objects implements ReconciledObjects {
  readonly byName: Map<string, ApiObject> = new Map();
  writes = 0;

  async get(namespace: string, name: string): Promise<ApiObject | undefined> {
    return this.byName.get(namespace + name);
  }

  async create(object: ApiObject): Promise<void> {
    this.writes++;
    const { namespace = '', name = '' } = object.metadata;
    this.byName.set(namespace + name, object);
  }

  update(object: ApiObject): Promise<void> {
    return this.create(object);
  }

  async delete({ metadata }: ApiObject): Promise<void> {
    this.byName.delete(`${metadata.namespace ?? ''}${metadata.name}`);
  }
}

const CONTROLLER = 'system:controller:namespace-controller';

describe('reconcileDefaultRoles', () => {
  const reconciled = async () => {
    const objects = {
      clusterRoles: new Objects(),
      clusterRoleBindings: new Objects(),
      roles: new Objects(),
      roleBindings: new Objects(),
    };
    const reconcile = () => reconcileDefaultRoles(objects, orchVocabulary);
    await reconcile();
    return { ...objects, reconcile };
  };

  it('writes nothing if nothing is missing', async () => {
    const { reconcile, ...objects } = await reconciled();
    const written = (): number[] => Object.values(objects).map(({ writes }) => writes);
    const before = written();
    await reconcile();
    expect(written()).toEqual(before);
    expect(Math.min(...before)).toBeGreaterThan(0);
  });

  it('binds roles of controllers to accounts of the system namespace only', async () => {
    const { clusterRoleBindings, reconcile } = await reconciled();
    const made = clusterRoleBindings.byName.get(CONTROLLER) as RoleBinding;
    const account = { kind: 'ServiceAccount', name: 'namespace-controller', namespace: 'orch-system' };
    expect(made.subjects).toEqual([account]);
    const moved = { ...made, subjects: [{ ...account, namespace: 'a' }] };
    clusterRoleBindings.byName.set(CONTROLLER, moved as ApiObject);
    await reconcile();
    const { subjects } = clusterRoleBindings.byName.get(CONTROLLER) as RoleBinding;
    expect(subjects).toEqual([{ ...account, namespace: 'a' }, account]);
  });

  it('recreates a binding to another role', async () => {
    const { clusterRoleBindings, reconcile } = await reconciled();
    const made = clusterRoleBindings.byName.get(CONTROLLER) as RoleBinding;
    const roleRef = { ...made.roleRef, name: 'cluster-admin' };
    clusterRoleBindings.byName.set(CONTROLLER, { ...made, roleRef } as ApiObject);
    await reconcile();
    expect(clusterRoleBindings.byName.get(CONTROLLER)).toEqual(made);
  });
});
