import { groupName } from '@ashlar/core';
import { expect } from 'vitest';
import { forEachAccess } from './access-server.fixture.ts';

forEachAccess('Access-related resource endpoints', (test) => {
  test('A093: a SelfSubjectReview of two fields returns the caller', async ({
    access,
    paths,
    vocabulary,
  }) => {
    const question = {
      apiVersion: `${groupName(vocabulary, 'authentication.')}/v1`,
      kind: 'SelfSubjectReview',
    };
    const path = `${paths.authentication}/selfsubjectreviews`;
    const { status, body } = await access.al.post(path, question);
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...question, status: { userInfo: { username: 'al' } } });
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
      expect(await access.root.send(method, path)).toMatchObject({ status: 405 });
  });

  const attributes = { verb: 'get', resource: 'configmaps', namespace: 'a' };
  test.for([
    ['authentication', 'tokenreviews', 'TokenReview', { token: 'al' }, 'authenticated'],
    [
      'authorization',
      'subjectaccessreviews',
      'SubjectAccessReview',
      { user: 'al', resourceAttributes: attributes },
      'allowed',
    ],
    [
      'authorization',
      'namespaces/a/localsubjectaccessreviews',
      'LocalSubjectAccessReview',
      { user: 'al', resourceAttributes: attributes },
      'allowed',
    ],
    [
      'authorization',
      'selfsubjectaccessreviews',
      'SelfSubjectAccessReview',
      { resourceAttributes: attributes },
      'allowed',
    ],
  ] as const)(
    'A094: %s %s returns the object with its status, and stores nothing',
    async ([group, plural, kind, spec, field], { access, paths, vocabulary }) => {
      const question = { apiVersion: `${groupName(vocabulary, `${group}.`)}/v1`, kind, spec };
      const path = `${paths[group]}/${plural}`;
      const { status, body } = await access.root.post(path, question);
      expect(status).toBe(201);
      expect(body).toMatchObject(question);
      expect(body.status).toHaveProperty(field);
      expect(await access.root.get(path)).toMatchObject({ status: 405 });
    },
  );

  test('A094: a SelfSubjectRulesReview returns the rules', async ({ access, paths, vocabulary }) => {
    const question = {
      apiVersion: `${groupName(vocabulary, 'authorization.')}/v1`,
      kind: 'SelfSubjectRulesReview',
    };
    const path = `${paths.authorization}/selfsubjectrulesreviews`;
    const { status, body } = await access.al.post(path, { ...question, spec: { namespace: 'a' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...question,
      status: { resourceRules: expect.any(Array), nonResourceRules: expect.any(Array), incomplete: false },
    });
    expect(await access.root.get(path)).toMatchObject({ status: 405 });
  });

  test('A095: authenticated users may review their identity, by a default role', async ({
    access,
    paths,
  }) => {
    const path = `${paths.authentication}/selfsubjectreviews`;
    const account = await access.accountToken('robot');
    for (const token of ['al', 'bo', 'system:node:n', account])
      expect(await access.as(token).post(path, {})).toMatchObject({ status: 201 });
    expect(await access.anonymous.post(path, {})).toMatchObject({ status: 403 });
    await access.root.delete(`${paths.rbac}/clusterrolebindings/system:basic-user`);
    expect(await access.al.post(path, {})).toMatchObject({ status: 403 });
  });
});
