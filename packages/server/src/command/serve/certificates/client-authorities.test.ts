import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Authenticator, ServerRequest } from '@ashlar/core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCertificates } from '../../../certificates/self-signed-certificates.ts';
import { ClientAuthorities } from './client-authorities.ts';

const root = mkdtempSync(join(tmpdir(), 'authorities-'));
afterAll(() => rmSync(root, { recursive: true }));
const [users, proxies] = [join(root, 'users.crt'), join(root, 'proxies.crt')];
const flags = { 'client-ca-file': users, 'requestheader-client-ca-file': proxies };
let first: string;
let second: string;

beforeAll(async () => {
  first = (await createCertificates()).certificateAuthority;
  second = (await createCertificates()).certificateAuthority;
});

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());
/** Lets the watchers of files look for changes. */
const look = (): void => void vi.advanceTimersByTime(10_000);

/** An authenticator that names the number of its CAs, and how often it was made. */
function counting(authorities: ClientAuthorities): () => unknown {
  let made = 0;
  const authenticator = authorities.authenticator('client-ca-file', (certificates): Authenticator => {
    made++;
    return {
      authenticate: () => ({
        outcome: 'authenticated',
        user: { name: `${certificates.length}`, groups: [] },
      }),
    };
  });
  return () => [authenticator?.authenticate({} as ServerRequest), made];
}

const user = (name: string) => ({ outcome: 'authenticated', user: { name, groups: [] } });

describe('ClientAuthorities', () => {
  it('are those of users and proxies together for the listener', () => {
    writeFileSync(users, first);
    writeFileSync(proxies, second);
    const authorities = new ClientAuthorities(flags, () => {});
    expect(authorities.text).toBe(`${first}\n${second}`);
    expect(authorities.textOf('requestheader-client-ca-file')).toBe(second);
    expect(new ClientAuthorities({}, () => {}).text).toBeUndefined();
    expect(new ClientAuthorities({}, () => {}).authenticator('client-ca-file', () => never)).toBeUndefined();
  });

  it('are read again when a file changes, unless it cannot be used', () => {
    writeFileSync(users, first);
    const reports: string[] = [];
    let changes = 0;
    const authorities = new ClientAuthorities({ 'client-ca-file': users }, (text) => reports.push(text));
    const ask = counting(authorities);
    const following = authorities.follow(() => {
      changes++;
      if (authorities.text === second) throw new Error('no');
    });
    expect(ask()).toEqual([user('1'), 1]);
    look();
    for (const text of ['', second, `${first}${second}`]) {
      writeFileSync(users, text);
      look();
      if (text.length <= second.length) expect(ask()).toEqual([user('1'), 1]);
    }
    expect(ask()).toEqual([user('2'), 2]);
    rmSync(users);
    look();
    following[Symbol.dispose]();
    writeFileSync(users, first);
    look();
    expect([changes, ask()]).toEqual([2, [user('2'), 2]]);
    expect(reports).toEqual([
      `ashlar: the CAs were not reloaded: flag --client-ca-file: ${users}: it contains no certificate\n`,
      'ashlar: the CAs were not reloaded: no\n',
      expect.stringMatching(/^ashlar: the CAs were not reloaded: ENOENT/),
    ]);
  });
});

const never: Authenticator = { authenticate: () => ({ outcome: 'none' }) };
