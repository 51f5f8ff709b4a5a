import { X509Certificate } from 'node:crypto';
import {
  createClientCertificateAuthenticator,
  createProxyHeaderAuthenticator,
  createUnionAuthenticator,
  type ProxyHeaderOptions,
} from '@ashlar/authn';
import type { Client, ResourceClient } from '@ashlar/client';
import { decodeJson, encodeUtf8 } from '@ashlar/codec';
import {
  type Ambient,
  type ApiObject,
  type Authenticator,
  type JsonValue,
  sleep,
  systemNamespace,
  undefinedIfNotFound,
} from '@ashlar/core';
import { pemTexts } from '../certificates/pem-texts.ts';

/** The config map in which a cluster says how its front proxy identifies itself and its callers. */
const NAME = 'extension-apiserver-authentication';
const RETRY_MILLISECONDS = 5_000;

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

export interface ClusterAuthenticationOptions {
  readonly client: Client;
  readonly ambient: Ambient;
  readonly onError: (error: unknown) => void;
}

/** How callers are recognised by certificates, as the cluster says it now. */
export class ClusterAuthentication implements Disposable {
  readonly #options: ClusterAuthenticationOptions;
  readonly #maps: ResourceClient<ConfigMap>;
  readonly #end = new AbortController();
  readonly #place: string;
  #current: ReadConfiguration | undefined;
  #changed: () => void = () => {};

  constructor(options: ClusterAuthenticationOptions) {
    const { client, ambient } = options;
    const namespace = systemNamespace(ambient.vocabulary, 'system');
    this.#options = options;
    this.#place = `${namespace}/${NAME}`;
    this.#maps = client
      .resource<ConfigMap>({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' })
      .namespace(namespace);
  }

  /** Authenticates by the front proxy's headers, and by certificates of the cluster's users. */
  readonly authenticator: Authenticator = {
    authenticate: (request) => this.#current?.authenticator.authenticate(request) ?? { outcome: 'none' },
  };

  /** CAs of the certificates of callers, PEM. */
  get authorities(): string {
    return this.#current?.authorities ?? '';
  }

  /**
   * Reads the configuration, and follows its changes from then on.
   * @param changed called when the authorities have changed
   * @throws Error if the cluster names no front proxy; StatusError if it may not be read
   */
  async start(changed: () => void): Promise<void> {
    const map = await this.#maps.get(NAME).catch(undefinedIfNotFound);
    this.#apply(map);
    if (!this.#current) {
      throw new Error(
        `the cluster names no front proxy in the config map ${this.#place}: its API server needs --requestheader-client-ca-file and --proxy-client-cert-file`,
      );
    }
    this.#changed = changed;
    void this.#follow(map?.metadata.resourceVersion);
  }

  [Symbol.dispose](): void {
    this.#end.abort();
  }

  /** A configuration that is missing or invalid does not change who is trusted. */
  #apply(map: ConfigMap | undefined): void {
    const { ambient, onError } = this.#options;
    try {
      const read = readConfiguration(map?.data ?? {}, ambient);
      if (!read) return;
      const isSame = read.authorities === this.#current?.authorities;
      this.#current = read;
      if (!isSame) this.#changed();
    } catch (error) {
      onError(new Error(`the config map ${this.#place} cannot be used`, { cause: error }));
    }
  }

  async #follow(from: string | undefined): Promise<void> {
    const { signal } = this.#end;
    const { ambient, onError } = this.#options;
    for (let resourceVersion = from; ; resourceVersion = undefined) {
      try {
        const options = { signal, fieldSelector: `metadata.name=${NAME}` };
        const watch = this.#maps.watch({
          ...options,
          ...(resourceVersion !== undefined && { resourceVersion }),
        });
        for await (const { type, object } of watch) if (type !== 'DELETED') this.#apply(object);
      } catch (error) {
        if (signal.aborted) return;
        onError(error);
      }
      await sleep(ambient.clock, RETRY_MILLISECONDS, signal).catch(() => {});
      if (signal.aborted) return;
    }
  }
}

interface ReadConfiguration {
  readonly authorities: string;
  readonly authenticator: Authenticator;
}

/** @throws Error for certificates or lists that cannot be read */
function readConfiguration(
  data: Readonly<Record<string, string>>,
  ambient: Ambient,
): ReadConfiguration | undefined {
  const ofProxy = data['requestheader-client-ca-file'];
  if (ofProxy === undefined) return undefined;
  const ofUsers = data['client-ca-file'];
  const options: ProxyHeaderOptions = {
    authorities: derOf(ofProxy),
    allowedNames: listIn(data, 'requestheader-allowed-names'),
    usernameHeaders: listIn(data, 'requestheader-username-headers'),
    groupHeaders: listIn(data, 'requestheader-group-headers'),
    extraHeaderPrefixes: listIn(data, 'requestheader-extra-headers-prefix'),
  };
  const proxies = createProxyHeaderAuthenticator(ambient, options);
  const users =
    ofUsers === undefined
      ? []
      : [createClientCertificateAuthenticator(ambient, { authorities: derOf(ofUsers) })];
  return {
    authorities: ofUsers === undefined ? ofProxy : `${ofProxy}\n${ofUsers}`,
    authenticator: createUnionAuthenticator([proxies, ...users]),
  };
}

const derOf = (pem: string): readonly Uint8Array[] =>
  pemTexts(pem).flatMap(({ type, text }) => (type === 'CERTIFICATE' ? [new X509Certificate(text).raw] : []));

function listIn(data: Readonly<Record<string, string>>, key: string): readonly string[] {
  const list = readList(data[key] ?? '[]', key);
  if (Array.isArray(list) && list.every((name) => typeof name === 'string')) return list;
  throw new TypeError(`${key} is no list of names`);
}

function readList(text: string, key: string): JsonValue {
  try {
    return decodeJson(encodeUtf8(text)).value;
  } catch (error) {
    throw new Error(`${key} is no list of names: ${(error as Error).message}`);
  }
}
