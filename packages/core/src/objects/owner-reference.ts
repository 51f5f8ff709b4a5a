import { actualValueText } from '../validation/check-options.ts';
import type { ApiObject, OwnerReference } from './api-object.ts';

/** What a reference says of its owner. */
export type OwnerReferenceFlags = Pick<OwnerReference, 'controller' | 'blockOwnerDeletion'>;

/**
 * The reference to an owner, for `metadata.ownerReferences` of what goes with it.
 * @throws TypeError for an owner that no server has stored: it has no uid
 * @example
 * const ownerReferences = [ownerReferenceTo(team, { controller: true })];
 */
export function ownerReferenceTo(owner: ApiObject, flags: OwnerReferenceFlags = {}): OwnerReference {
  const { apiVersion, kind, metadata } = (owner ?? {}) as Partial<ApiObject>;
  const { name, uid } = metadata ?? {};
  if (!apiVersion || !kind || !name || !uid) {
    throw new TypeError(
      `ownerReferenceTo takes an object as the server returned it, with apiVersion, kind, name and uid, not ${actualValueText(owner)}`,
    );
  }
  return { apiVersion, kind, name, uid, ...flags };
}

/**
 * The reference to the controller that manages an object, of which there is at most one: the owner whose reference has `controller: true`.
 * @example
 * informer.addHandler({ deleted: (child) => requeue(controllerOf(child)?.name) });
 */
export function controllerOf(object: ApiObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true);
}
