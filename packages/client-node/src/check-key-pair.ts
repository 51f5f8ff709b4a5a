import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/**
 * @param certificate PEM; the first one is checked
 * @throws Error if one of them is invalid, or they do not match. The message contains neither
 */
export function checkKeyPair(certificate: string, key: string): void {
  let read: { readonly certificate: X509Certificate; readonly key: KeyObject };
  try {
    read = { certificate: new X509Certificate(certificate), key: createPrivateKey(key) };
  } catch {
    throw new Error('its certificate or its key cannot be read');
  }
  if (!read.certificate.checkPrivateKey(read.key)) throw new Error('its key is not that of its certificate');
}
