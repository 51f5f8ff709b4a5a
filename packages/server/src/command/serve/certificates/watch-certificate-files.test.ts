import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CertificateChanges, Listener } from '@ashlar/http-node';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Certificates, createCertificates } from '../../../certificates/self-signed-certificates.ts';
import { watchCertificateFiles } from './watch-certificate-files.ts';

const root = mkdtempSync(join(tmpdir(), 'certificates-'));
afterAll(() => rmSync(root, { recursive: true }));
const [certificate, key] = [join(root, 'tls.crt'), join(root, 'tls.key')];

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());
/** Lets the watchers of files look for changes. */
const look = (): void => void vi.advanceTimersByTime(10_000);

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
    look();
    writeFileSync(key, 'broken');
    look();
    writeFileSync(key, 'k2');
    look();
    rmSync(key);
    look();
    watching[Symbol.dispose]();
    writeFileSync(key, 'k3');
    look();
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
    look();
    write(second);
    look();
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
