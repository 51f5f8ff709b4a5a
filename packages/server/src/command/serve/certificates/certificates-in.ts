import { X509Certificate } from 'node:crypto';
import { pemTexts } from '../../../certificates/pem-texts.ts';
import { UsageError } from '../../usage-error.ts';

/**
 * Returns the certificates of a PEM text, in DER.
 * @throws UsageError that names the flag and its file, where a certificate is invalid or there is none
 */
export function certificatesIn(flag: string, file: string, pem: string): readonly Uint8Array[] {
  const blocks = pemTexts(pem).filter(({ type }) => type === 'CERTIFICATE');
  if (blocks.length === 0) throw new UsageError(`flag --${flag}: ${file}: it contains no certificate`);
  try {
    return blocks.map(({ text }) => new X509Certificate(text).raw);
  } catch {
    throw new UsageError(`flag --${flag}: ${file}: it contains an invalid certificate`);
  }
}
