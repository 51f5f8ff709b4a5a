import { type Ambient, type Authentication, type Authenticator, toHex } from '@ashlar/core';
import { sha256 } from '@noble/hashes/sha2.js';
import { NONE } from '../tokens/token-authenticator.ts';
import { createCertificateReader, type VerifiedCertificate } from './verified-certificate.ts';

/** Whose certificates count. */
export interface ClientCertificateOptions {
  /**
   * Certificates in DER one of which must be in the chain; needed where the listener also trusts authorities that vouch
   * for others than users, such as a front proxy. Without them every chain that the listener has verified counts.
   */
  readonly authorities?: readonly Uint8Array[];
}

/**
 * Authenticates requests by the certificate of their connection, which the listener has verified: the common name is
 * the user, each organization a group, and the certificate's digest is kept as its credential id (semantics/access#authentication). A certificate without a common name is ignored; one that is not trusted, or
 * whose time has passed since, is rejected. A chain is read once.
 */
export function createClientCertificateAuthenticator(
  { clock, vocabulary }: Pick<Ambient, 'clock' | 'vocabulary'>,
  { authorities }: ClientCertificateOptions = {},
): Authenticator {
  const read = createCertificateReader(clock, authorities);
  const credentialId = `authentication.${vocabulary.labelDomain}/credential-id`;
  const answers = new WeakMap<VerifiedCertificate, Authentication>();
  return {
    authenticate({ connection }): Authentication {
      const certificate = read(connection);
      if (!certificate) return NONE;
      if (certificate.outcome === 'rejected') return certificate;
      let answer = answers.get(certificate);
      if (!answer) {
        answer = userOf(certificate, credentialId);
        answers.set(certificate, answer);
      }
      return answer;
    },
  };
}

function userOf({ certificate, der }: VerifiedCertificate, credentialId: string): Authentication {
  const { commonName: name, organizations: groups } = certificate;
  if (name === '') return NONE;
  const extra = { [credentialId]: [`X509SHA256=${toHex(sha256(der))}`] };
  return { outcome: 'authenticated', user: { name, groups, extra } };
}
