import { type Clock, type Connection, toHex } from '@ashlar/core';
import { sha256 } from '@noble/hashes/sha2.js';
import { type Certificate, parseCertificate } from './certificate.ts';

/** A chain of certificates that counts: verified by the listener, of an authority that is named, and in its time. */
export interface VerifiedCertificate {
  /** Of its leaf. */
  readonly certificate: Certificate;
  /** The leaf, in DER. */
  readonly der: Uint8Array;
}

/** What a connection shows: a certificate that counts, one that does not and why, or none. */
export type ShownCertificate = VerifiedCertificate | { readonly error: Error } | undefined;

interface Judged {
  readonly verdict: VerifiedCertificate | { readonly error: Error };
  readonly notBefore: number;
  readonly notAfter: number;
}

/**
 * Tells of connections which certificate they show. A chain is read once and gives the same object each time; its time is looked
 * at with every request, since connections outlive certificates.
 *
 * @param authorities certificates in DER one of which must be in the chain; without them every chain that the listener verified counts
 */
export function createCertificateReader(
  clock: Clock,
  authorities?: readonly Uint8Array[],
): (connection: Connection) => ShownCertificate {
  const digests = authorities && new Set(authorities.map((der) => toHex(sha256(der))));
  const known = new WeakMap<readonly Uint8Array[], Judged>();
  return (connection) => {
    const chain = connection.clientCertificates;
    if (!chain?.length) return untrusted(connection);
    let judged = known.get(chain);
    if (!judged) {
      judged = judge(chain, digests);
      known.set(chain, judged);
    }
    const now = clock.now();
    return now >= judged.notBefore && now <= judged.notAfter ? judged.verdict : EXPIRED;
  };
}

const EXPIRED: ShownCertificate = { error: new Error('the certificate has expired or is not yet valid') };

function untrusted({ clientCertificateError }: Connection): ShownCertificate {
  if (clientCertificateError === undefined) return undefined;
  return { error: new Error(`the certificate is not trusted: ${clientCertificateError}`) };
}

function judge(chain: readonly Uint8Array[], digests: ReadonlySet<string> | undefined): Judged {
  if (digests && !chain.some((der) => digests.has(toHex(sha256(der)))))
    return refused('the certificate is signed by an unknown authority');
  let certificates: readonly Certificate[];
  try {
    certificates = chain.map(parseCertificate);
  } catch (error) {
    return refused(`the certificate cannot be read: ${(error as Error).message}`);
  }
  return {
    verdict: { certificate: certificates[0] as Certificate, der: chain[0] as Uint8Array },
    notBefore: Math.max(...certificates.map(({ notBefore }) => notBefore)),
    notAfter: Math.min(...certificates.map(({ notAfter }) => notAfter)),
  };
}

function refused(message: string): Judged {
  return {
    verdict: { error: new Error(message) },
    notBefore: Number.NEGATIVE_INFINITY,
    notAfter: Number.POSITIVE_INFINITY,
  };
}
