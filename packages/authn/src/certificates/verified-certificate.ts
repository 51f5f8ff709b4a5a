import { type Clock, type Connection, toHex } from '@ashlar/core';
import { sha256 } from '@noble/hashes/sha2.js';
import { type Certificate, parseCertificate } from './certificate.ts';

/** A client certificate that the listener verified, that a trusted authority signed and that has not expired. */
export interface VerifiedCertificate {
  readonly outcome: 'verified';
  /** The leaf certificate, parsed. */
  readonly certificate: Certificate;
  /** The leaf certificate, in DER. */
  readonly der: Uint8Array;
}

/** A client certificate that is not accepted, and why. */
interface RejectedCertificate {
  readonly outcome: 'rejected';
  readonly error: Error;
}

/** The client certificate of a connection; undefined if there is none. */
export type ClientCertificate = VerifiedCertificate | RejectedCertificate | undefined;

interface CheckedChain {
  readonly certificate: VerifiedCertificate | RejectedCertificate;
  readonly notBefore: number;
  readonly notAfter: number;
}

/**
 * Returns a function that reads the client certificate of a connection. A chain is parsed once and returns
 * the same object each time; its validity period is checked with every request, since connections outlive
 * certificates.
 *
 * @param authorities certificates in DER, one of which must be in the chain; by default every chain that the
 * listener verified is accepted
 */
export function createCertificateReader(
  clock: Clock,
  authorities?: readonly Uint8Array[],
): (connection: Connection) => ClientCertificate {
  const digests = authorities && new Set(authorities.map((der) => toHex(sha256(der))));
  const checkedChains = new WeakMap<readonly Uint8Array[], CheckedChain>();
  return (connection) => {
    const chain = connection.clientCertificates;
    if (!chain?.length) return untrusted(connection);
    let checked = checkedChains.get(chain);
    if (!checked) {
      checked = checkChain(chain, digests);
      checkedChains.set(chain, checked);
    }
    const now = clock.now();
    return now >= checked.notBefore && now <= checked.notAfter ? checked.certificate : EXPIRED;
  };
}

const EXPIRED: ClientCertificate = rejected('the certificate has expired or is not yet valid');

function untrusted({ clientCertificateError }: Connection): ClientCertificate {
  if (clientCertificateError === undefined) return undefined;
  return rejected(`the certificate is not trusted: ${clientCertificateError}`);
}

function checkChain(chain: readonly Uint8Array[], digests: ReadonlySet<string> | undefined): CheckedChain {
  if (digests && !chain.some((der) => digests.has(toHex(sha256(der)))))
    return rejectedChain('the certificate is signed by an unknown authority');
  let certificates: readonly Certificate[];
  try {
    certificates = chain.map(parseCertificate);
  } catch (error) {
    return rejectedChain(`the certificate cannot be read: ${(error as Error).message}`);
  }
  return {
    certificate: {
      outcome: 'verified',
      certificate: certificates[0] as Certificate,
      der: chain[0] as Uint8Array,
    },
    notBefore: Math.max(...certificates.map(({ notBefore }) => notBefore)),
    notAfter: Math.min(...certificates.map(({ notAfter }) => notAfter)),
  };
}

function rejectedChain(message: string): CheckedChain {
  return {
    certificate: rejected(message),
    notBefore: Number.NEGATIVE_INFINITY,
    notAfter: Number.POSITIVE_INFINITY,
  };
}

function rejected(message: string): RejectedCertificate {
  return { outcome: 'rejected', error: new Error(message) };
}
