import { type Ambient, type Authentication, type Authenticator, toHex } from '@ashlar/core';
import { sha256 } from '@noble/hashes/sha2.js';
import { NONE } from '../tokens/token-authenticator.ts';
import { createCertificateReader, type VerifiedCertificate } from './verified-certificate.ts';

/** Options of client certificate authentication. */
export interface ClientCertificateOptions {
  /**
   * CA certificates in DER, one of which must be in the chain; needed if the listener also trusts CAs of
   * others than users, such as a front proxy. By default every chain that the listener has verified is
   * accepted.
   */
  readonly authorities?: readonly Uint8Array[];
}

/**
 * Authenticates requests by the certificate of their connection, which the listener has verified: the common
 * name is the user, each organization a group, and the certificate's digest its credential id
 * (semantics/access#authentication). A certificate without a common name is ignored; one that is not trusted,
 * or has expired since, is rejected. Chains are parsed once.
 */
export function createClientCertificateAuthenticator(
  { clock, vocabulary }: Pick<Ambient, 'clock' | 'vocabulary'>,
  { authorities }: ClientCertificateOptions = {},
): Authenticator {
  const read = createCertificateReader(clock, authorities);
  const credentialId = `authentication.${vocabulary.labelDomain}/credential-id`;
  const authentications = new WeakMap<VerifiedCertificate, Authentication>();
  return {
    authenticate({ connection }): Authentication {
      const certificate = read(connection);
      if (!certificate) return NONE;
      if (certificate.outcome === 'rejected') return certificate;
      let result = authentications.get(certificate);
      if (!result) {
        result = userOf(certificate, credentialId);
        authentications.set(certificate, result);
      }
      return result;
    },
  };
}

function userOf({ certificate, der }: VerifiedCertificate, credentialId: string): Authentication {
  const { commonName: name, organizations: groups } = certificate;
  if (name === '') return NONE;
  const extra = { [credentialId]: [`X509SHA256=${toHex(sha256(der))}`] };
  return { outcome: 'authenticated', user: { name, groups, extra } };
}
