import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import type { ServiceAccountAlgorithm, ServiceAccountKey, ServiceAccountSigningKey } from '@ashlar/authn';
import { pemTexts } from './pem-texts.ts';

/** A new key for tokens of service accounts, on the curve P-256. */
export function generateServiceAccountKey(): {
  readonly key: ServiceAccountSigningKey;
  readonly pem: string;
} {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    key: signingKeyOf(privateKey),
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

/**
 * Reads a private key in PEM: RSA, or one of the curves P-256, P-384 and P-521.
 * @throws Error where it is none
 */
export function readSigningKey(pem: string): ServiceAccountSigningKey {
  return signingKeyOf(createPrivateKey(pem));
}

/**
 * Reads keys in PEM with which tokens are checked: public keys, or private ones whose public half counts.
 * @throws Error where there is none, or one that cannot be used
 */
export function readVerifyingKeys(pem: string): readonly ServiceAccountKey[] {
  const blocks = pemTexts(pem);
  if (blocks.length === 0) throw new Error('there is no key in it');
  return blocks.map(({ text }) => verifyingKeyOf(createPublicKey(text)));
}

function signingKeyOf(privateKey: KeyObject): ServiceAccountSigningKey {
  return {
    ...verifyingKeyOf(createPublicKey(privateKey)),
    privateKey: privateKey.export({ format: 'jwk' }) as ServiceAccountSigningKey['privateKey'],
  };
}

function verifyingKeyOf(publicKey: KeyObject): ServiceAccountKey {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return {
    id: createHash('sha256').update(der).digest('base64url'),
    algorithm: algorithmOf(publicKey),
    publicKey: publicKey.export({ format: 'jwk' }) as ServiceAccountKey['publicKey'],
  };
}

const CURVES: Readonly<Record<string, ServiceAccountAlgorithm>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): ServiceAccountAlgorithm {
  const algorithm = asymmetricKeyType === 'rsa' ? 'RS256' : CURVES[asymmetricKeyDetails?.namedCurve ?? ''];
  if (!algorithm)
    throw new Error('tokens are signed with RSA keys or those of the curves P-256, P-384 and P-521');
  return algorithm;
}
