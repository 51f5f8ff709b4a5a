import type { Transport, TransportRequest } from '@ashlar/core';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

/** An issuer without a network: a transport with its documents, and keys that it can change. */
export class FakeIssuer {
  readonly url: string = 'https://issuer.test';
  readonly transport: Transport;
  /** Requested URLs. */
  readonly asked: string[] = [];
  /** JSON responses by URL; others are 404. */
  readonly documents: Map<string, unknown> = new Map();
  #keys: { readonly id: string; readonly privateKey: CryptoKey; readonly jwk: JWK }[] = [];

  constructor() {
    this.transport = { request: async (url, request) => this.#answer(url, request) };
    this.documents.set(`${this.url}/.well-known/openid-configuration`, {
      issuer: this.url,
      jwks_uri: `${this.url}/keys`,
    });
  }

  #answer(url: string, { signal }: TransportRequest): Awaited<ReturnType<Transport['request']>> {
    signal?.throwIfAborted();
    this.asked.push(url);
    const found = this.documents.get(url);
    const bytes = new TextEncoder().encode(typeof found === 'string' ? found : JSON.stringify(found ?? null));
    return {
      status: found === undefined ? 404 : 200,
      headers: {},
      body: async () => bytes,
      async *stream() {
        yield bytes;
      },
    };
  }

  /** Signs with a new key from now on, and publishes only that one. */
  async rotate(id: string, algorithm = 'ES256'): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
    this.#keys = [{ id, privateKey, jwk: { ...(await exportJWK(publicKey)), kid: id, use: 'sig' } }];
    this.documents.set(`${this.url}/keys`, { keys: this.#keys.map(({ jwk }) => jwk) });
  }

  /** A token with additional claims; `undefined` removes one. */
  async token(claims: JWTPayload = {}, algorithm = 'ES256'): Promise<string> {
    const [key] = this.#keys;
    if (!key) throw new Error('the issuer has no key');
    const payload = { iss: this.url, aud: 'server', exp: 4_000_000_000, sub: 'anna', ...claims };
    return new SignJWT(payload).setProtectedHeader({ alg: algorithm, kid: key.id }).sign(key.privateKey);
  }
}
