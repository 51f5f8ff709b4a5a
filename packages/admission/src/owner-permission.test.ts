import type { ApiObject, Authorizer, OwnerReference } from '@ashlar/core';
import { expect, it } from 'vitest';
import { createAdmissionChain } from './admission-chain.ts';
import { createOwnerPermission } from './owner-permission.ts';
import { requestFor } from './request.fixture.ts';

const owned = (...ownerReferences: readonly OwnerReference[]): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Page',
  metadata: { name: 'a', ownerReferences },
});
const owner: OwnerReference = { apiVersion: 'v1', kind: 'Book', name: 'b', uid: 'u' };
const blocking: OwnerReference = { ...owner, blockOwnerDeletion: true };

/** Allows what is on a list of `verb resource/subresource name`. */
function chainAllowing(...rights: readonly string[]) {
  const authorizer: Authorizer = {
    authorize: ({ verb, resource, subresource, name }) =>
      rights.includes(`${verb} ${resource}${subresource && `/${subresource}`} ${name}`)
        ? { decision: 'allow' }
        : { decision: 'no-opinion', reason: 'why' },
  };
  const resourceOf = (_: string, kind: string) =>
    kind === 'Book' ? { group: '', version: 'v1', resource: 'books', namespaced: true } : undefined;
  return createAdmissionChain([createOwnerPermission({ authorizer, resourceOf })]);
}

it('who changes owners may delete the object', async () => {
  const update = { operation: 'UPDATE', object: owned(owner), oldObject: owned() } as const;
  await expect(chainAllowing().validate(requestFor(update))).rejects.toThrow(
    `pages "a" is forbidden: cannot set an ownerRef on a resource you can't delete: why, <nil>`,
  );
  await chainAllowing('delete pages a').validate(requestFor(update));
  await chainAllowing().validate(requestFor({ ...update, oldObject: owned(owner) }));
  await chainAllowing().validate(requestFor({ object: owned(owner) }));
});

it('who holds up the deletion of an owner may change its finalizers', async () => {
  const create = { object: owned(blocking) };
  await expect(chainAllowing().validate(requestFor(create))).rejects.toThrow(
    "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: why, <nil>",
  );
  await chainAllowing('update books/finalizers b').validate(requestFor(create));
  await chainAllowing('update */finalizers *').validate(requestFor(create));
  const unblocked = {
    operation: 'UPDATE',
    object: owned({ ...blocking, name: 'c' }),
    oldObject: owned(blocking),
  } as const;
  await chainAllowing('delete pages a').validate(requestFor(unblocked));
  await expect(
    chainAllowing().validate(requestFor({ object: owned({ ...blocking, kind: 'Other' }) })),
  ).rejects.toThrow('cannot find RESTMapping for APIVersion v1 Kind Other: no matches for kind "Other"');
});
