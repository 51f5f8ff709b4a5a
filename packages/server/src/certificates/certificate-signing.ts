import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { Controller, ControllerOptions } from '@ashlar/controllers';
import type { CertificateAuthority } from '@ashlar/controllers/signing';

/** The CA that signs certificates. */
export interface CertificateSigning {
  /** CA certificate, PEM. */
  readonly certificate: string;
  /** Its private key, PEM: RSA, one of the curves P-256, P-384 and P-521, or Ed25519. */
  readonly key: string;
  /** Maximum validity duration of certificates, and that of requests without a duration; default one year. */
  readonly durationSeconds?: number;
}

/**
 * Creates the controller that signs certificates. The X.509 library is loaded when it starts.
 * @throws TypeError if the certificate is not that of a CA, or the key does not match it
 */
export function createSigningController(
  { certificate, key, durationSeconds }: CertificateSigning,
  options: ControllerOptions,
): Controller {
  const privateKey = readAuthorityKey(key, readAuthority(certificate));
  return createdOnStart(async () => {
    const { createCertificateSigningController } = await import('@ashlar/controllers/signing');
    const authority = { certificate, key: await signingKeyOf(privateKey) };
    const duration = durationSeconds === undefined ? {} : { durationSeconds };
    return createCertificateSigningController({ ...options, ...duration, authority });
  }, options.onError);
}

/**
 * Parses a CA certificate. It is separate from the key so that callers can report which of the two is invalid.
 * @throws TypeError
 */
export function readAuthority(certificate: string): X509Certificate {
  const authority = read('certificate', () => new X509Certificate(certificate));
  if (!authority.ca) throw new TypeError('the certificate is not a CA certificate');
  return authority;
}

/** Parses the private key of a CA. @throws TypeError */
export function readAuthorityKey(key: string, authority: X509Certificate): KeyObject {
  const privateKey = read('key', () => createPrivateKey(key));
  if (!authority.checkPrivateKey(privateKey)) throw new TypeError('the key does not match the certificate');
  algorithmOf(privateKey);
  return privateKey;
}

function read<T>(what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new TypeError(`the ${what} cannot be read`, { cause: error });
  }
}

function signingKeyOf(key: KeyObject): Promise<CertificateAuthority['key']> {
  const der = key.export({ type: 'pkcs8', format: 'der' });
  return crypto.subtle.importKey('pkcs8', der, algorithmOf(key), false, ['sign']);
}

const CURVES: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
};

/** @throws TypeError for an unsupported key type */
function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): {
  name: string;
  hash?: string;
  namedCurve?: string;
} {
  const namedCurve = CURVES[asymmetricKeyDetails?.namedCurve ?? ''];
  if (asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  if (asymmetricKeyType === 'ed25519') return { name: 'Ed25519' };
  if (namedCurve) return { name: 'ECDSA', namedCurve };
  throw new TypeError('certificates are signed with RSA, P-256, P-384, P-521 or Ed25519');
}

/** Returns a controller that is created when it starts. */
function createdOnStart(make: () => Promise<Controller>, onError: ControllerOptions['onError']): Controller {
  let starting: Promise<Controller | undefined> | undefined;
  let closed = false;
  const close = async (): Promise<void> => {
    closed = true;
    await (await starting)?.close();
  };
  const begin = async (): Promise<Controller | undefined> => {
    try {
      const controller = await make();
      if (!closed) controller.start();
      return controller;
    } catch (error) {
      onError?.(error);
      return undefined;
    }
  };
  return {
    start() {
      if (!closed) starting ??= begin();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
