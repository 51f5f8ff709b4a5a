import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orchVocabulary } from '@ashlar/core';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { startRemoteIssuer } from '../../../packages/server/src/assembly/remote-identity.fixture.ts';
import { AshlarProcess } from '../../../packages/server/src/command/ashlar-process.fixture.ts';
import { authenticationConfiguration, jwtOf } from './issuer-configuration.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'authorities-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const issuer = await startRemoteIssuer();
afterAll(() => issuer[Symbol.asyncDispose]());
const configured = jwtOf(issuer, { issuer: { certificateAuthority: undefined } });

describe('an issuer whose certificate is of a system CA', () => {
  it.each([
    [
      'A065: is believed where the file names none',
      [
        '--authentication-config',
        file('c', authenticationConfiguration(orchVocabulary, { jwt: [configured] })),
      ],
    ],
    [
      'A116: is believed where no flag names one',
      ['--oidc-issuer-url', issuer.url, '--oidc-client-id=server', '--oidc-signing-algs=ES256'],
    ],
  ])('%s', async (_title, flags) => {
    // additional CAs of a process are configured when it starts
    vi.stubEnv('NODE_EXTRA_CA_CERTS', file('ca.crt', issuer.certificates.certificateAuthority));
    await using server = new AshlarProcess(folder, 'serve', '--secure-port=0', '--storage=memory', ...flags);
    vi.unstubAllEnvs();
    await server.serving();
    const headers = { authorization: `Bearer ${issuer.token()}` };
    await vi.waitFor(
      async () => {
        const { status } = await server.request('GET', '/version', { headers });
        expect([status, server.stderr]).toEqual([200, expect.any(String)]);
      },
      { timeout: 60_000 },
    );
  });
});
