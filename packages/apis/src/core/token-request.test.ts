import type { ServiceAccountClaims } from '@ashlar/authn';
import { type ApiObject, kubernetesVocabulary, StatusError } from '@ashlar/core';
import type { ActionEnvironment, RequestContext } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { type TokenRequestOptions, tokenRequest } from './token-request.ts';

const STORED: Readonly<Record<string, object>> = {
  namespaces: {},
  secrets: { metadata: { name: 'kept', uid: 's1' } },
  pods: { metadata: { name: 'worker', uid: 'p1' }, spec: { serviceAccountName: 'robot' } },
};
const storageOf = (object: object) => ({ storage: { get: async () => object } });
const ENVIRONMENT = {
  parent: storageOf({ metadata: { name: 'robot', uid: 'u1' } }),
  related: (_: string, plural: string) => storageOf(STORED[plural] ?? {}),
} as unknown as ActionEnvironment;

/** Asks for a token and returns what would stand in it. */
async function claimsOf(
  spec: object,
  options: Partial<TokenRequestOptions> = {},
): Promise<ServiceAccountClaims> {
  const issued: ServiceAccountClaims[] = [];
  const { create } = tokenRequest(kubernetesVocabulary, {
    issuer: {
      issue: async (claims) => {
        issued.push(claims);
        return 'token';
      },
    },
    apiAudiences: ['api'],
    now: () => 0,
    ...options,
  });
  const context = { namespace: 'ns', warn: () => {} } as unknown as RequestContext;
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec };
  await create(context, 'robot', request as ApiObject, ENVIRONMENT);
  return issued[0] as ServiceAccountClaims;
}

describe('requests for tokens', () => {
  it.each(['v1', 'v2', '', 'a/b/c'])(
    'are bound to objects of the core group, whatever its version: %j',
    async (apiVersion) => {
      const boundObjectRef = { apiVersion, kind: 'Secret', name: 'kept' };
      expect(await claimsOf({ boundObjectRef })).toMatchObject({ secret: { name: 'kept', uid: 's1' } });
    },
  );

  it.each([
    [{ apiVersion: 'apps/v1', kind: 'Deployment' }, 'apps/v1, Kind=Deployment'],
    [{ apiVersion: 'v1', kind: 'ConfigMap' }, '/v1, Kind=ConfigMap'],
    [{ apiVersion: 'v1', kind: 'toString' }, '/v1, Kind=toString'],
    [{ apiVersion: 'a/b/c', kind: 'Other' }, '/, Kind=Other'],
    [{}, '/, Kind='],
  ])('are not bound to others: %j', async (boundObjectRef, type) => {
    await expect(claimsOf({ boundObjectRef })).rejects.toEqual(
      StatusError.badRequest(`cannot bind token to object of type ${type}`),
    );
  });

  it('are not bound to an object without a name', async () => {
    await expect(claimsOf({ boundObjectRef: { kind: 'Pod' } })).rejects.toEqual(
      StatusError.badRequest('Name parameter required.'),
    );
  });

  it('of kubelets give tokens that are valid longer, if they are for this server and bound to a pod', async () => {
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'worker' };
    const lifetimeOf = async (spec: object): Promise<number> =>
      (await claimsOf({ expirationSeconds: 3607, ...spec })).expiresAt;
    expect(await lifetimeOf({ boundObjectRef })).toBe(365 * 24 * 3600);
    expect(await lifetimeOf({ boundObjectRef, audiences: ['api'] })).toBe(365 * 24 * 3600);
    expect(await lifetimeOf({ boundObjectRef, audiences: ['api', 'other'] })).toBe(3607);
    expect(await lifetimeOf({})).toBe(3607);
    const mounted = { expirationSeconds: 3607, boundObjectRef };
    expect(await claimsOf(mounted, { extendsMounted: false })).toMatchObject({ expiresAt: 3607 });
  });
});

it('what a request leaves to the server is filled in before admission validates it', async () => {
  const options = { issuer: { issue: async () => 'token' }, apiAudiences: ['api'], now: () => 0 };
  const { complete, prepare } = tokenRequest(kubernetesVocabulary, options);
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {} } as ApiObject;
  const completed = complete?.(request) as ApiObject;
  expect(completed).toMatchObject({ spec: { expirationSeconds: 3600 } });
  const context = { namespace: 'ns', warn: () => {} } as unknown as RequestContext;
  expect(await prepare?.(context, 'robot', completed, ENVIRONMENT)).toEqual({
    ...request,
    metadata: { name: 'robot', namespace: 'ns', creationTimestamp: '1970-01-01T00:00:00Z' },
    spec: { audiences: ['api'], expirationSeconds: 3600, boundObjectRef: null },
  });
});
