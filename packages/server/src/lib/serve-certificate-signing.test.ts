import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CertificateSigning } from './certificate-signing.ts';
import { certificateSigningOf } from './serve-certificate-signing.ts';
import { createSigningAuthority } from './signing-authority.fixture.ts';
import { UsageError } from './usage-error.ts';

const root = mkdtempSync(join(tmpdir(), 'signing-'));
afterAll(() => rmSync(root, { recursive: true }));
let files = 0;

function file(content: string): string {
  const path = join(root, `file-${++files}`);
  writeFileSync(path, content);
  return path;
}

const signingBy = (certificate: string, key: string): CertificateSigning | undefined =>
  certificateSigningOf({
    'cluster-signing-cert-file': file(certificate),
    'cluster-signing-key-file': file(key),
    'cluster-signing-duration': 7_200_999,
  });

const authority = await createSigningAuthority();
const { certificate, key, serverCertificate, serverKey } = authority;

describe('the authority that signs certificates', () => {
  it('is read from its files', () => {
    expect(signingBy(certificate, key)).toEqual({ certificate, key, durationSeconds: 7200 });
  });

  it.each([
    ['cert', 'the certificate cannot be read', 'none', key],
    ['cert', 'the certificate cannot be read', 'none', 'none'],
    ['cert', 'the certificate is not that of an authority', serverCertificate, serverKey],
    ['cert', 'the certificate is not that of an authority', serverCertificate, 'none'],
    ['key', 'the key cannot be read', certificate, 'none'],
    ['key', 'the key cannot be read', certificate, certificate],
    ['key', 'the key is not that of the certificate', certificate, serverKey],
  ])('blames the %s file where %s', (kind, why, ...pair) => {
    expect(() => signingBy(...pair)).toThrow(new UsageError(`flag --cluster-signing-${kind}-file: ${why}`));
  });
});
