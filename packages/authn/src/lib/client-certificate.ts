import type { Ambient, Authentication, Authenticator, Connection, ServerRequest } from '@ashlar/core';
import { type Certificate, parseCertificate } from './certificate.ts';
import { sha256Hex } from './sha256.ts';
import { NONE } from './token-authenticator.ts';

/** Whose certificates count. */
export interface ClientCertificateOptions {
  /**
   * Certificates in DER one of which must be in the chain; needed where the listener also trusts authorities that vouch
   * for others than users, such as a front proxy. Without them every chain that the listener has verified counts.
   */
  readonly authorities?: readonly Uint8Array[];
}

/** What a chain says, however often it is asked. */
type Verdict =
  | { readonly kind: 'answer'; readonly answer: Authentication }
  | {
      readonly kind: 'user';
      readonly answer: Authentication;
      readonly notBefore: number;
      readonly notAfter: number;
    };

/**
 * Authenticates requests by the certificate of their connection, which the listener has verified: the common name is
 * the user, each organization a group, and the certificate's digest is kept as its credential id (specification 2,
 * "Client certificates"; semantics K1). A certificate without a common name says nothing; one that is not trusted, or
 * whose time has passed since, is rejected. A chain is read once.
 */
export function createClientCertificateAuthenticator(
  ambient: Pick<Ambient, 'clock' | 'vocabulary'>,
  { authorities }: ClientCertificateOptions = {},
): Authenticator {
  const digests = authorities && new Set(authorities.map(sha256Hex));
  const credentialId = `authentication.${ambient.vocabulary.labelDomain}/credential-id`;
  const verdicts = new WeakMap<readonly Uint8Array[], Verdict>();
  return {
    authenticate({ connection }: ServerRequest): Authentication {
      const chain = connection.clientCertificates;
      if (!chain?.length) return untrusted(connection);
      let verdict = verdicts.get(chain);
      if (!verdict) {
        verdict = judge(chain, digests, credentialId);
        verdicts.set(chain, verdict);
      }
      if (verdict.kind === 'answer') return verdict.answer;
      const now = ambient.clock.now();
      return now >= verdict.notBefore && now <= verdict.notAfter ? verdict.answer : EXPIRED;
    },
  };
}

const EXPIRED: Authentication = rejected('the certificate has expired or is not yet valid');

function untrusted({ clientCertificateError }: Connection): Authentication {
  return clientCertificateError === undefined
    ? NONE
    : rejected(`the certificate is not trusted: ${clientCertificateError}`);
}

function judge(
  chain: readonly Uint8Array[],
  digests: ReadonlySet<string> | undefined,
  credentialId: string,
): Verdict {
  if (digests && !chain.some((certificate) => digests.has(sha256Hex(certificate)))) {
    return { kind: 'answer', answer: rejected('the certificate is signed by an unknown authority') };
  }
  let certificates: readonly Certificate[];
  try {
    certificates = chain.map(parseCertificate);
  } catch (error) {
    return {
      kind: 'answer',
      answer: rejected(`the certificate cannot be read: ${(error as Error).message}`),
    };
  }
  const { commonName: name, organizations: groups } = certificates[0] as Certificate;
  if (name === '') return { kind: 'answer', answer: NONE };
  const extra = { [credentialId]: [`X509SHA256=${sha256Hex(chain[0] as Uint8Array)}`] };
  return {
    kind: 'user',
    answer: { outcome: 'authenticated', user: { name, groups, extra } },
    notBefore: Math.max(...certificates.map(({ notBefore }) => notBefore)),
    notAfter: Math.min(...certificates.map(({ notAfter }) => notAfter)),
  };
}

function rejected(message: string): Authentication {
  return { outcome: 'rejected', error: new Error(message) };
}
