import { DerTag, type DerValue, ParseError, readDer, runAtOnce, toHex, type Vocabulary } from '@ashlar/core';
import { readCertificateRequestSteps } from '../../workloads/certificates/certificate-bytes.ts';

/** Attribute `extensionRequest` (RFC 2985, section 5.4.2), as encoded. */
const EXTENSION_REQUEST = '2a864886f70d01090e';
/** Extension `subjectAltName` (RFC 5280, section 4.2.1.6). */
const ALTERNATIVE_NAMES = '551d11';
/** Tags of general names. */
const [EMAIL, DNS, URI, ADDRESS] = [0x81, 0x82, 0x86, 0x87];

const CLIENT = ['client auth', 'digital signature', 'key encipherment'];
const SERVER = ['digital signature', 'key encipherment', 'server auth'];

/**
 * Returns the signer of a request that names none: the one of nodes if it asks for a node's certificate, or else the legacy signer.
 * @param request base64 of its PEM text
 */
export function defaultSigner(
  request: string,
  usages: readonly string[],
  { labelDomain, namespacePrefix }: Vocabulary,
): string {
  const legacy = `${labelDomain}/legacy-unknown`;
  try {
    const { commonName, organizations, signed } = runAtOnce(readCertificateRequestSteps(request));
    if (organizations.length !== 1 || organizations[0] !== 'system:nodes') return legacy;
    if (!commonName.startsWith('system:node:')) return legacy;
    const names = alternativeNames(signed.bytes);
    if (names.length === 0 && isExactly(usages, CLIENT))
      return `${labelDomain}/${namespacePrefix}-apiserver-client-kubelet`;
    const isServing = names.length > 0 && names.every((tag) => tag === DNS || tag === ADDRESS);
    return isServing && isExactly(usages, SERVER) ? `${labelDomain}/kubelet-serving` : legacy;
  } catch (error) {
    if (ParseError.is(error)) return legacy;
    throw error;
  }
}

const isExactly = (usages: readonly string[], expected: readonly string[]): boolean =>
  usages.length === expected.length && expected.every((usage) => usages.includes(usage));

/** Tags of the alternative names that a request asks for. */
function alternativeNames(info: Uint8Array): readonly number[] {
  const attributes = readDer(info).children[3]?.children ?? [];
  return attributes
    .filter((attribute) => isOf(attribute, EXTENSION_REQUEST))
    .flatMap(({ children: [, values] }) => values?.children.flatMap(({ children }) => children) ?? [])
    .filter((extension) => isOf(extension, ALTERNATIVE_NAMES))
    .flatMap(({ children }) => {
      const value = children.at(-1);
      return value?.tag === DerTag.octetString ? readDer(value.content).children : [];
    })
    .map(({ tag }) => tag)
    .filter((tag) => [EMAIL, DNS, URI, ADDRESS].includes(tag));
}

const isOf = ({ children: [type] }: DerValue, identifier: string): boolean =>
  type !== undefined && toHex(type.content) === identifier;
