import { expect } from 'vitest';
import { type AccessServer, forEachAccess } from './access-server.fixture.ts';

forEachAccess('SelfSubjectReview', (test) => {
  const path = (authentication: string): string => `${authentication}/selfsubjectreviews`;

  /** Sends a review as an administrator with further headers. */
  async function whoWith(
    server: AccessServer,
    authentication: string,
    headers: Record<string, string>,
  ): Promise<unknown> {
    return (await server.root.post(path(authentication), {}, headers)).body.status;
  }

  test('A016: it returns the caller', async ({ access, paths }) => {
    const { status, body } = await access.al.post(path(paths.authentication), {});
    expect(status).toBe(201);
    expect(body.status).toEqual({
      userInfo: {
        username: 'al',
        uid: '1',
        groups: ['dev', 'system:authenticated'],
        extra: { scopes: ['one', 'two'] },
      },
    });
  });

  test('A016: an impersonating caller is the impersonated user', async ({ access, paths }) => {
    const headers = {
      'impersonate-user': 'eve',
      'impersonate-uid': '7',
      'impersonate-group': 'ops',
      'impersonate-extra-Scopes': 'three',
    };
    expect(await whoWith(access, paths.authentication, headers)).toEqual({
      userInfo: {
        username: 'eve',
        uid: '7',
        groups: ['ops', 'system:authenticated'],
        extra: { scopes: ['three'] },
      },
    });
    expect(await whoWith(access, paths.authentication, {})).toEqual({
      userInfo: { username: 'root', groups: ['system:masters', 'system:authenticated'] },
    });
  });

  test('A016: its fields cannot be set', async ({ access, paths }) => {
    const userInfo = { username: 'root', name: 'root', groups: ['system:masters'] };
    const { body } = await access.al.post(path(paths.authentication), {
      spec: { username: 'root' },
      status: { userInfo },
    });
    expect(body).not.toHaveProperty('spec');
    expect(body.status).toMatchObject({ userInfo: { username: 'al' } });
    expect(body.status).not.toHaveProperty('userInfo.name');
  });
});
