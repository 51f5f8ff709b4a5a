import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { CERTIFICATE_WITHOUT_NAMES } from '@ashlar/core';

/**
 * Returns why a certificate is not that of a server, undefined if it is. Node takes the common name where there are no alternative names;
 * clients of this kind of server have ceased to (RFC 9525 section 2).
 */
export function checkServerNames(host: string, certificate: PeerCertificate): Error | undefined {
  if (certificate.subjectaltname) return checkServerIdentity(host, certificate);
  return Object.assign(
    new Error(`tls: failed to verify certificate: x509: ${missingNames(host, certificate)}`),
    {
      code: CERTIFICATE_WITHOUT_NAMES,
    },
  );
}

function missingNames(host: string, certificate: PeerCertificate): string {
  if (isIP(host) > 0) return `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
  return checkServerIdentity(host, certificate)
    ? `certificate is not valid for any names, but wanted to match ${host}`
    : 'certificate relies on legacy Common Name field, use SANs instead';
}
