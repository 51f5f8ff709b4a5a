import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { clientCiphers } from '../connection/cipher-list.ts';

/** Maximum number of contexts that are kept. */
const CAPACITY = 64;

type Secrets = Pick<SecureContextOptions, 'ca' | 'cert' | 'key' | 'allowPartialTrustChain'>;

/** In the order in which they were last used. */
const kept = new Map<string, SecureContext>();

/**
 * Returns the context of what is trusted and presented, made once for equal ones: Node makes one for each connection otherwise, which takes
 * it one to two milliseconds.
 * @throws Error for certificates and keys that cannot be read
 */
export function secureContextOf(secrets: Secrets): SecureContext {
  const { ca, cert, key, allowPartialTrustChain } = secrets;
  const name = JSON.stringify([ca, cert, key, allowPartialTrustChain]);
  const context = kept.get(name) ?? createSecureContext({ ...secrets, ciphers: clientCiphers });
  kept.delete(name);
  kept.set(name, context);
  if (kept.size > CAPACITY) kept.delete(kept.keys().next().value as string);
  return context;
}
