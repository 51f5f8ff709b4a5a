// the certificate library uses decorators and needs this import first
import 'reflect-metadata';
import { ExtendedKeyUsageExtension, type Extension, KeyUsageFlags, KeyUsagesExtension } from '@peculiar/x509';

/** Key usages by their names in requests (RFC 5280, section 4.2.1.3). */
const KEY_USAGES = new Map(
  Object.entries({
    signing: KeyUsageFlags.digitalSignature,
    'digital signature': KeyUsageFlags.digitalSignature,
    'content commitment': KeyUsageFlags.nonRepudiation,
    'key encipherment': KeyUsageFlags.keyEncipherment,
    'key agreement': KeyUsageFlags.keyAgreement,
    'data encipherment': KeyUsageFlags.dataEncipherment,
    'cert sign': KeyUsageFlags.keyCertSign,
    'crl sign': KeyUsageFlags.cRLSign,
    'encipher only': KeyUsageFlags.encipherOnly,
    'decipher only': KeyUsageFlags.decipherOnly,
  }),
);

/** Extended key usages (section 4.2.1.12), as object identifiers. */
const EXTENDED_KEY_USAGES = new Map(
  Object.entries({
    any: '2.5.29.37.0',
    'server auth': '1.3.6.1.5.5.7.3.1',
    'client auth': '1.3.6.1.5.5.7.3.2',
    'code signing': '1.3.6.1.5.5.7.3.3',
    'email protection': '1.3.6.1.5.5.7.3.4',
    's/mime': '1.3.6.1.5.5.7.3.4',
    'ipsec end system': '1.3.6.1.5.5.7.3.5',
    'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
    'ipsec user': '1.3.6.1.5.5.7.3.7',
    timestamping: '1.3.6.1.5.5.7.3.8',
    'ocsp signing': '1.3.6.1.5.5.7.3.9',
    'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
    'netscape sgc': '2.16.840.1.113730.4.1',
  }),
);

/**
 * The extensions of a certificate with these usages.
 * @throws TypeError for an unknown usage
 */
export function usageExtensions(usages: readonly string[]): readonly Extension[] {
  const unknown = usages.filter((usage) => !KEY_USAGES.has(usage) && !EXTENDED_KEY_USAGES.has(usage));
  if (unknown.length > 0) throw new TypeError(`unknown key usages: ${unknown.join(', ')}`);
  const flags = usages.reduce((all, usage) => all | (KEY_USAGES.get(usage) ?? 0), 0);
  const purposes = new Set(usages.flatMap((usage) => EXTENDED_KEY_USAGES.get(usage) ?? []));
  return [
    ...(flags === 0 ? [] : [new KeyUsagesExtension(flags, true)]),
    ...(purposes.size === 0 ? [] : [new ExtendedKeyUsageExtension([...purposes])]),
  ];
}
