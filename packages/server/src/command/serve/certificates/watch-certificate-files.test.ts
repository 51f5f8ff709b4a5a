import { mkdtempSync, rmSync, unwatchFile, watchFile, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CertificateChanges, Listener } from '@ashlar/http-node';
import { afterAll, describe, expect, it } from 'vitest';
import { type Certificates, createCertificates } from '../../../certificates/self-signed-certificates.ts';
import { watchCertificateFiles } from './watch-certificate-files.ts';

const root = mkdtempSync(join(tmpdir(), 'certificates-'));
afterAll(() => rmSync(root, { recursive: true }));
const [certificate, key] = [join(root, 'tls.crt'), join(root, 'tls.key')];

/** Notifies the watchers of a file of a change, without waiting for the poll interval. */
function changed(file: string): void {
  const nobody = (): void => {};
  watchFile(file, { persistent: false }, nobody).emit('change');
  unwatchFile(file, nobody);
}

describe('watchCertificateFiles', () => {
  it('reloads the certificate when a file changes, unless the files are invalid', () => {
    const served: unknown[] = [];
    const reports: string[] = [];
    const listener = {
      setCertificate: (pair: { key: string }) => {
        if (pair.key === 'broken') throw new Error('no such key');
        served.push(pair);
      },
    } as unknown as Listener;
    writeFileSync(certificate, 'c1');
    writeFileSync(key, 'k1');
    const flags = { 'tls-cert-file': certificate, 'tls-private-key-file': key };
    const watching = watchCertificateFiles(flags, listener, (text) => reports.push(text));
    changed(certificate);
    writeFileSync(key, 'broken');
    changed(key);
    writeFileSync(key, 'k2');
    changed(key);
    rmSync(key);
    changed(key);
    watching[Symbol.dispose]();
    writeFileSync(key, 'k3');
    changed(key);
    expect(served).toEqual([
      { certificate: 'c1', key: 'k1' },
      { certificate: 'c1', key: 'k2' },
    ]);
    expect(reports).toEqual([
      'ashlar: the certificate was not reloaded: no such key\n',
      expect.stringMatching(/^ashlar: the certificate was not reloaded: ENOENT/),
    ]);
  });

  it('reloads the certificates for other names, together with the main one', async () => {
    const [first, second] = [await createCertificates(), await createCertificates()];
    const served: CertificateChanges[] = [];
    const reports: string[] = [];
    const listener = {
      setCertificate: (changes: CertificateChanges) => served.push(changes),
    } as unknown as Listener;
    const write = (pair: Certificates): void => {
      writeFileSync(certificate, pair.certificate);
      writeFileSync(key, pair.key);
    };
    write(first);
    const named = [{ certificateFile: certificate, keyFile: key, names: ['x.org'] }];
    using _ = watchCertificateFiles({ 'tls-sni-cert-key': named }, listener, (text) => reports.push(text));
    writeFileSync(key, second.key);
    changed(key);
    write(second);
    changed(certificate);
    const pair = { certificate: second.certificate, key: second.key };
    expect(served).toEqual([{ named: [{ ...pair, names: ['x.org'] }] }]);
    expect(reports).toEqual([
      expect.stringMatching(
        /^ashlar: the certificate was not reloaded: flag --tls-sni-cert-key: .* cannot be used \(/,
      ),
    ]);
  });

  it('watches nothing without files', () => {
    const watching = watchCertificateFiles({}, {} as Listener, () => {});
    watching[Symbol.dispose]();
  });
});
