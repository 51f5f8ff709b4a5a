import { afterAll, describe, expect, it } from 'vitest';
import type { CertificateSigning } from '../../../certificates/certificate-signing.ts';
import { createSigningAuthority } from '../../../certificates/signing-authority.fixture.ts';
import { FilesFolder } from '../../files-folder.fixture.ts';
import { UsageError } from '../../usage-error.ts';
import { certificateSigningOf } from './serve-certificate-signing.ts';

const folder = new FilesFolder();
afterAll(() => folder[Symbol.dispose]());
const { file } = folder;

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
    ['cert', 'the certificate is not a CA certificate', serverCertificate, serverKey],
    ['cert', 'the certificate is not a CA certificate', serverCertificate, 'none'],
    ['key', 'the key cannot be read', certificate, 'none'],
    ['key', 'the key cannot be read', certificate, certificate],
    ['key', 'the key does not match the certificate', certificate, serverKey],
  ])('names the %s file if %s', (kind, why, ...pair) => {
    expect(() => signingBy(...pair)).toThrow(new UsageError(`flag --cluster-signing-${kind}-file: ${why}`));
  });
});
