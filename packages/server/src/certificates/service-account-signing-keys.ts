import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import type { ServiceAccountAlgorithm, ServiceAccountKey, ServiceAccountSigningKey } from '@ashlar/authn';
import { pemTexts } from './pem-texts.ts';

/** Generates a key that signs service account tokens, on the curve P-256. */
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
 * Parses a private key in PEM: RSA, or an EC key on P-256, P-384 or P-521.
 * @throws Error if it cannot be parsed or has another type
 */
export function readSigningKey(pem: string): ServiceAccountSigningKey {
  return signingKeyOf(createPrivateKey(pem));
}

/**
 * Parses keys in PEM that verify tokens: public keys, or private keys of which the public half is used.
 * @throws Error if there is no key, or one that cannot be used
 */
export function readVerifyingKeys(pem: string): readonly ServiceAccountKey[] {
  const blocks = pemTexts(pem);
  if (blocks.length === 0) throw new Error('it contains no key');
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
  if (!algorithm) throw new Error('unsupported key type; supported are RSA and EC on P-256, P-384 and P-521');
  return algorithm;
}
