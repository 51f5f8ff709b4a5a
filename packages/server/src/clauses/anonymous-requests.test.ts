import { expect, it } from 'vitest';
import { forEachVocabulary } from './clause-command.fixture.ts';
import { ROOT } from './served-command.fixture.ts';

const ANONYMOUS = { username: 'system:anonymous', groups: ['system:unauthenticated'] };

forEachVocabulary('Anonymous requests', ({ vocabulary, serve, file }) => {
  it('A125: who shows nothing is anonymous, who shows what is wrong is nobody', async () => {
    await using server = await serve('--anonymous-auth');
    expect(await server.who()).toEqual(ANONYMOUS);
    expect(await server.who({ token: 'wrong' })).toBe(401);
    expect(await server.get('/version', { token: 'wrong' })).toMatchObject({
      status: 401,
      body: { kind: 'Status', reason: 'Unauthorized', message: 'Unauthorized' },
    });
    expect(await server.who(ROOT)).toMatchObject({ username: 'root' });
  });
});
