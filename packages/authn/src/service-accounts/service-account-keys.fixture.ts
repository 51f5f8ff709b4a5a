import { exportJWK, generateKeyPair } from 'jose';
import type { ServiceAccountSigningKey } from './service-account-keys.ts';

/** Generates a key that signs tokens. */
export async function generateTestKey(id: string): Promise<ServiceAccountSigningKey> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  return {
    id,
    algorithm: 'ES256',
    publicKey: await exportJWK(publicKey),
    privateKey: await exportJWK(privateKey),
  };
}
