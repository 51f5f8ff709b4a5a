import { expect, it } from 'vitest';
import { CertificateAuthority } from './certificate-authority.fixture.ts';
import { forEachVocabulary } from './clause-command.fixture.ts';

const CA = '--requestheader-client-ca-file';
const USERNAMES = '--requestheader-username-headers';
const proxies = await CertificateAuthority.create('proxies');
const users = await CertificateAuthority.create('users');
const proxy = await proxies.issue('front-proxy');
const dave = await users.issue('dave', 'dev');

forEachVocabulary('Authenticating proxy flags', ({ serve, refusal, file }) => {
  const authorities = file(proxies.pem);
  const USUAL = [CA, authorities, `${USERNAMES}=X-Remote-User`];

  it('A119: the first header of the list with a value is the user name, case-insensitively', async () => {
    await using server = await serve(CA, authorities, `${USERNAMES}=X-First,x-SECOND`);
    const who = (headers: Record<string, string>): Promise<unknown> =>
      server.who({ certificate: proxy, headers });
    expect(await who({ 'x-first': 'anna', 'x-second': 'bob' })).toMatchObject({ username: 'anna' });
    expect(await who({ 'X-Second': 'bob' })).toMatchObject({ username: 'bob' });
    expect(await who({ 'x-first': '', 'X-SECOND': 'bob' })).toMatchObject({ username: 'bob' });
    for (const headers of [{}, { 'x-first': '' }, { 'x-remote-user': 'anna' }])
      expect(await who(headers)).toBe(401);
  });

  it('A119: they must be configured', async () => {
    expect(await refusal(CA, authorities)).toContain(`flag ${CA} needs ${USERNAMES}`);
    expect(await refusal(CA, authorities, `${USERNAMES}=`)).toContain(`flag ${USERNAMES}: `);
  });

  it('A120: all values of all group headers are groups', async () => {
    const caller = {
      certificate: proxy,
      headers: { 'x-remote-user': 'anna', 'x-remote-group': ['dev', 'a,b'], 'X-Team': ['shop', 'office'] },
    };
    await using server = await serve(...USUAL, '--requestheader-group-headers=X-Remote-Group,x-team');
    expect(await server.who(caller)).toEqual({
      username: 'anna',
      groups: ['dev', 'a,b', 'shop', 'office', 'system:authenticated'],
    });
    await using without = await serve(...USUAL);
    expect(await without.who(caller)).toEqual({ username: 'anna', groups: ['system:authenticated'] });
  });

  it('A121: headers with the prefix are extra fields', async () => {
    const caller = {
      certificate: proxy,
      headers: {
        'x-remote-user': 'anna',
        'X-Remote-Extra-SCOPES': ['one', 'two'],
        'x-remote-extra-example.com%2Fteam': 'shop',
        'x-other-mark': 'blue',
      },
    };
    await using server = await serve(
      ...USUAL,
      '--requestheader-extra-headers-prefix=X-Remote-Extra-,X-Other-',
    );
    expect(await server.who(caller)).toMatchObject({
      extra: { scopes: ['one', 'two'], 'example.com/team': ['shop'], mark: ['blue'] },
    });
    await using without = await serve(...USUAL);
    expect(await without.who(caller)).toEqual({ username: 'anna', groups: ['system:authenticated'] });
  });

  it('A122: headers are ignored without a certificate of a trusted CA', async () => {
    const headers = { 'x-remote-user': 'anna' };
    const other = await CertificateAuthority.create('others');
    await using server = await serve(CA, file(`${other.pem}${proxies.pem}`), `${USERNAMES}=X-Remote-User`);
    for (const certificate of [proxy, await other.issue('another-proxy')])
      expect(await server.who({ certificate, headers })).toMatchObject({ username: 'anna' });
    expect(await server.who({ headers })).toBe(401);
    const pretender = await (await CertificateAuthority.create('proxies')).issue('front-proxy');
    expect(await server.who({ certificate: pretender, headers })).toBe(401);
  });

  it('A122: the CAs must be configured, and not empty', async () => {
    for (const flag of [
      `${USERNAMES}=X-Remote-User`,
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      '--requestheader-allowed-names=front-proxy',
    ]) {
      expect(await refusal(flag)).toContain(`${flag.split('=')[0]} needs ${CA}`);
    }
    expect(await refusal(CA, file(''), `${USERNAMES}=X-Remote-User`)).toContain('it contains no certificate');
    expect(await refusal(CA, '/nowhere', `${USERNAMES}=X-Remote-User`)).toContain('cannot be read');
  });

  it('A123: if names are configured, proxies must have one of them', async () => {
    const headers = { 'x-remote-user': 'anna' };
    const other = await proxies.issue('other-proxy');
    const third = await proxies.issue('third-proxy');
    await using server = await serve(...USUAL, '--requestheader-allowed-names=front-proxy,other-proxy');
    for (const certificate of [proxy, other])
      expect(await server.who({ certificate, headers })).toMatchObject({ username: 'anna' });
    expect(await server.who({ certificate: third, headers })).toBe(401);
    await using open = await serve(...USUAL);
    expect(await open.who({ certificate: third, headers })).toMatchObject({ username: 'anna' });
  });

  it('A124: the CAs of proxies and those of users are separate', async () => {
    await using server = await serve(...USUAL, '--client-ca-file', file(users.pem));
    const headers = { 'x-remote-user': 'anna' };
    expect(await server.who({ certificate: proxy, headers })).toMatchObject({ username: 'anna' });
    expect(await server.who({ certificate: proxy })).toBe(401);
    expect(await server.who({ certificate: dave })).toMatchObject({ username: 'dave' });
    expect(await server.who({ certificate: dave, headers })).toMatchObject({ username: 'dave' });
  });
});
