import { expect, test } from 'vitest';
import { withCertificateFiles } from './serve-tls.ts';

test('a directory of certificates has the files that no flag names', () => {
  const inDirectory = { 'tls-cert-file': '/d/apiserver.crt', 'tls-private-key-file': '/d/apiserver.key' };
  expect(withCertificateFiles({ 'cert-dir': '/d' })).toEqual({ 'cert-dir': '/d', ...inDirectory });
  const named = { 'cert-dir': '/d', 'tls-cert-file': '/c', 'tls-private-key-file': '/k' };
  expect(withCertificateFiles(named)).toEqual(named);
  expect(withCertificateFiles({})).toEqual({});
});
