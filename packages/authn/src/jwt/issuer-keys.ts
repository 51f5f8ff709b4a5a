import { callForJson } from '@ashlar/codec';
import {
  type Ambient,
  goQuote,
  isJsonObject,
  type JsonValue,
  type Timer,
  type Transport,
  toError,
} from '@ashlar/core';
import { type CryptoKey, compactVerify, importJWK, type JWK } from 'jose';
import type { IssuerConfiguration } from './authentication-configuration.ts';

export interface IssuerKeysOptions {
  readonly ambient: Pick<Ambient, 'clock'>;
  readonly transport: Transport;
  readonly issuer: IssuerConfiguration;
  /** How tokens may be signed. */
  readonly algorithms: readonly string[];
  /** Called with the error of each failed discovery. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** The keys of an issuer, found by OpenID Connect Discovery 1.0 (semantics/access#jwt). */
export interface IssuerKeys extends Disposable {
  /** The error of the last discovery; undefined once it has succeeded. */
  readonly error: Error | undefined;
  /** Fulfilled after the first attempt of discovery. */
  readonly firstAttempt: Promise<void>;
  /** Fulfilled once discovery has succeeded. */
  readonly found: Promise<void>;
  /**
   * Returns the payload of a token that one of the keys signed.
   * @throws Error if no key did, or new keys cannot be fetched
   */
  verified(token: string, header: TokenHeader): Promise<Uint8Array>;
}

/** The header of a JWT. */
export interface TokenHeader {
  readonly alg?: string;
  readonly kid?: string;
}

const RETRY_MILLISECONDS = 10_000;
/** Maximum number of fetches within `RETRY_MILLISECONDS`: forged tokens must not each cause a request to the issuer. */
const MAXIMUM_FETCHES = 10;

/** Starts the discovery of the issuer, with retries every 10 seconds; fetches its keys when a token needs them. */
export function createIssuerKeys(options: IssuerKeysOptions): IssuerKeys {
  return new DiscoveredKeys(options);
}

class DiscoveredKeys implements IssuerKeys {
  readonly #options: IssuerKeysOptions;
  readonly #closing = new AbortController();
  readonly #imported = new WeakMap<JWK, Map<string, Promise<CryptoKey | Uint8Array>>>();
  #error: Error | undefined = new Error('the issuer has not been found yet');
  #keySetUrl = '';
  #keys: readonly JWK[] = [];
  #fetching: Promise<void> | undefined;
  #fetches: number[] = [];
  #timer: Timer | undefined;
  #setFound: () => void = () => {};
  readonly found: Promise<void>;
  readonly firstAttempt: Promise<void>;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
    this.found = new Promise((resolve) => {
      this.#setFound = resolve;
    });
    this.firstAttempt = this.#discover();
  }

  get error(): Error | undefined {
    return this.#error;
  }

  async verified(token: string, header: TokenHeader): Promise<Uint8Array> {
    if (this.#error) throw new Error('the issuer of the token has not been found yet');
    const { alg = '' } = header;
    if (!this.#options.algorithms.includes(alg))
      throw new Error(`tokens of this issuer are not signed with ${goQuote(alg)}`);
    const payload = await this.#tryKeys(token, header);
    if (payload) return payload;
    await this.#fetchKeys();
    const again = await this.#tryKeys(token, header);
    if (again) return again;
    throw new Error('no key of the issuer signed the token');
  }

  [Symbol.dispose](): void {
    this.#closing.abort(new Error('the authenticator has been closed'));
    this.#timer?.clear();
  }

  async #discover(): Promise<void> {
    const { issuer, ambient, onError } = this.#options;
    try {
      const { url = '', discoveryURL } = issuer;
      const place = discoveryURL || `${url.replace(/\/$/, '')}/.well-known/openid-configuration`;
      const document = await this.#get(place);
      this.#keySetUrl = keySetUrl(document, url);
      this.#error = undefined;
      this.#setFound();
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#error = toError(error);
      onError?.(new Error(`the issuer ${goQuote(issuer.url ?? '')} cannot be found: ${this.#error.message}`));
      this.#timer = ambient.clock.setTimer(RETRY_MILLISECONDS, () => void this.#discover());
    }
  }

  #get(url: string): Promise<JsonValue> {
    const { transport, ambient, issuer } = this.#options;
    return callForJson({ transport, clock: ambient.clock }, url, {
      method: 'GET',
      headers: { accept: 'application/json' },
      signal: this.#closing.signal,
      ...(issuer.certificateAuthority && { tls: { certificateAuthorities: issuer.certificateAuthority } }),
    });
  }

  async #tryKeys(token: string, { alg = '', kid }: TokenHeader): Promise<Uint8Array | undefined> {
    for (const key of this.#keys) {
      if (kid !== undefined && key.kid !== kid) continue;
      try {
        return (await compactVerify(token, await this.#import(key, alg), { algorithms: [alg] })).payload;
      } catch {
        // another key may match
      }
    }
    return undefined;
  }

  #import(key: JWK, algorithm: string): Promise<CryptoKey | Uint8Array> {
    const byAlgorithm = this.#imported.get(key) ?? new Map<string, Promise<CryptoKey | Uint8Array>>();
    this.#imported.set(key, byAlgorithm);
    const imported = byAlgorithm.get(algorithm) ?? importJWK(key, algorithm);
    byAlgorithm.set(algorithm, imported);
    return imported;
  }

  /** Shares one fetch between all waiting tokens. */
  #fetchKeys(): Promise<void> {
    this.#fetching ??= this.#fetchKeysNow().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetchKeysNow(): Promise<void> {
    const now = this.#options.ambient.clock.monotonic();
    this.#fetches = this.#fetches.filter((at) => now - at < RETRY_MILLISECONDS);
    if (this.#fetches.length >= MAXIMUM_FETCHES) return;
    this.#fetches.push(now);
    const document = await this.#get(this.#keySetUrl);
    const keys = isJsonObject(document) ? document.keys : undefined;
    if (!Array.isArray(keys)) throw new Error('the key set of the issuer has no keys');
    this.#keys = keys.filter(isJsonObject) as readonly JWK[];
  }
}

/** @throws Error if the document is of another issuer, or its key URL is not trusted */
function keySetUrl(document: JsonValue, issuer: string): string {
  if (!isJsonObject(document)) throw new Error('its document is not an object');
  if (document.issuer !== issuer)
    throw new Error(`its document is of the issuer ${goQuote(String(document.issuer ?? ''))}`);
  const { jwks_uri: url } = document;
  if (typeof url !== 'string' || !url.startsWith('https://'))
    throw new Error('its document names no https address of its keys');
  return url;
}
