import { defineResource } from '@ashlar/apis';
import { mutatingAdmissionPolicies } from '@ashlar/apis/workloads';
import { orchVocabulary } from '@ashlar/core';
import { nodeClock } from '@ashlar/http-node';
import { parseFeatureGates } from '@ashlar/lifecycle';
import { createMemoryStore } from '@ashlar/storage';
import { createSqliteStore } from '@ashlar/storage-sqlite';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createApiServer } from './create-api-server.ts';

const define = (kind: string, plural?: string) =>
  defineResource({
    group: 'example.com',
    version: 'v1',
    kind,
    spec: z.object({}),
    ...(plural && { plural }),
  });

describe('createApiServer', () => {
  it.each<[string, () => object, string]>([
    [
      'a store that is not awaited',
      () => ({ storage: opened() }),
      'option "storage" of createApiServer must be a store, such as await createSqliteStore({ file }), not a promise: await it first',
    ],
    [
      'a path for a store',
      () => ({ storage: 'state.db' }),
      'option "storage" of createApiServer must be a store, such as await createSqliteStore({ file }), not "state.db"',
    ],
    [
      'the name of a vocabulary',
      () => ({ vocabulary: 'kubernetes' }),
      'option "vocabulary" of createApiServer must be a vocabulary such as kubernetesVocabulary of @ashlar/core (its names: orch, kubernetes), not "kubernetes"',
    ],
    [
      'an authenticator itself',
      () => ({ authenticator: { authenticate: () => undefined } }),
      'option "authenticator" of createApiServer must be a function that returns an authenticator, such as () => authenticator, not an object with the members authenticate',
    ],
    [
      'an authorizer itself',
      () => ({ authorizer: { authorize: () => undefined } }),
      'option "authorizer" of createApiServer must be a function that returns an authorizer, such as () => authorizer',
    ],
    [
      'an option that is mistyped',
      () => ({ resource: [] }),
      'createApiServer has no option "resource": did you mean "resources"?',
    ],
    [
      'one definition in place of a list',
      () => ({ resources: define('A') }),
      'option "resources" of createApiServer must be a list of definitions, such as [defineResource({ … })]',
    ],
    [
      'a definition from a file',
      () => ({
        resources: [
          {
            apiVersion: 'apiextensions.k8s.io/v1',
            kind: 'CustomResourceDefinition',
            spec: { group: 'example.com' },
          },
        ],
      }),
      'option "resources[0]" of createApiServer must be a definition of defineResource; a CustomResourceDefinition is created by a client',
    ],
    [
      'a zod type for a definition',
      () => ({ resources: [z.object({})] }),
      'option "resources[0]" of createApiServer must be a definition of defineResource',
    ],
    [
      'a type twice',
      () => ({ resources: [define('A'), define('A')] }),
      'as of group example.com is defined twice: another definition has it; choose another plural or group',
    ],
    [
      'a kind twice',
      () => ({ resources: [define('A'), define('A', 'others')] }),
      'kind A of group example.com is defined twice: another definition has it, with the plural as; choose another kind or group',
    ],
    [
      'a type over a built-in one',
      () => ({ resources: [{ ...define('Lease'), group: 'coordination.orch.io' }] }),
      'leases of group coordination.orch.io is defined twice: a built-in type has it',
    ],
    [
      'an ambient without a clock',
      () => ({ ambient: {} }),
      'option "ambient" of createApiServer must be an ambient, such as nodeAmbient(kubernetesVocabulary)',
    ],
    [
      'a text in place of options',
      () => 'state.db' as never,
      'createApiServer takes an object with options, not "state.db"',
    ],
  ])('rejects %s', (_, options, text) => {
    expect(() => createApiServer(options() as never)).toThrow(TypeError);
    expect(() => createApiServer(options() as never)).toThrow(text);
  });

  it('rejects mutating policies that nobody would evaluate', async () => {
    const resources = [mutatingAdmissionPolicies(orchVocabulary)];
    const runtimeConfig = new Map([['admissionregistration.orch.io/v1alpha1', true]]);
    expect(() => createApiServer({ resources, runtimeConfig })).toThrow(
      'mutatingadmissionpolicies.admissionregistration.orch.io needs the feature gate MutatingAdmissionPolicy',
    );
    const featureGates = parseFeatureGates('MutatingAdmissionPolicy=true');
    await using server = createApiServer({ resources, runtimeConfig, featureGates });
    await server.ready;
  });

  it('rejects a type that is served already, also later', async () => {
    await using server = createApiServer({
      storage: createMemoryStore({ clock: nodeClock }),
      resources: [define('A')],
    });
    await server.ready;
    expect(() => server.serve(define('A'))).toThrow('as of group example.com is defined twice');
  });
});

function opened(): Promise<unknown> {
  const opening = createSqliteStore({ file: '/a/folder/that/is/not/there/a.db', clock: nodeClock });
  opening.catch(() => {});
  return opening;
}
