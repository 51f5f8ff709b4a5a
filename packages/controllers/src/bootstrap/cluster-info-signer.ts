import { bootstrapSecretName, isBootstrapSecretExpired, readBootstrapSecret } from '@ashlar/authn';
import {
  createInformer,
  createWorkQueue,
  type Informer,
  type ResourceClient,
  type WorkQueue,
  type WorkResult,
} from '@ashlar/client';
import { type Ambient, type ApiObject, printErrors, systemNamespace } from '@ashlar/core';
import { type Controller, type ControllerOptions, controllerOfLoop } from '../loop/controller.ts';
import { unlessOvertaken } from '../loop/unless-overtaken.ts';
import { bootstrapSecrets, ofBootstrapTokens } from './bootstrap-secrets.ts';
import {
  CLUSTER_INFO,
  type ClusterInfo,
  CONFIGURATION_KEY,
  publicConfigMaps,
  SIGNATURE_PREFIX,
} from './cluster-info.ts';
import { detachedSignature } from './detached-signature.ts';

/**
 * Maintains the signatures in the config map `cluster-info`: one for each bootstrap token that signs, and no
 * others (semantics/access#authentication). Does nothing without such a config map or a kubeconfig in it.
 * @example
 * const controller = createClusterInfoSigner({ client, ambient });
 * controller.start();
 */
export function createClusterInfoSigner(options: ControllerOptions): Controller {
  return controllerOfLoop(() => new ClusterInfoSigning(options));
}

/** A token that signs. */
interface SigningToken {
  readonly id: string;
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly ends: number;
}

class ClusterInfoSigning {
  readonly #ambient: Ambient;
  readonly #maps: ResourceClient<ClusterInfo>;
  readonly #map: Informer<ClusterInfo>;
  readonly #secrets: Informer<ApiObject>;
  readonly #queue: WorkQueue;
  readonly #ended: Promise<void>;

  constructor({ client, ambient, onError = printErrors('controller of cluster info') }: ControllerOptions) {
    this.#ambient = ambient;
    this.#maps = publicConfigMaps(client, ambient.vocabulary);
    this.#queue = createWorkQueue<string>({ ambient });
    this.#map = createInformer(this.#maps, { fieldSelector: `metadata.name=${CLUSTER_INFO}`, onError });
    this.#secrets = createInformer(bootstrapSecrets(client, ambient.vocabulary), {
      ...ofBootstrapTokens(ambient.vocabulary),
      onError,
    });
    const changed = (): void => this.#queue.add(CLUSTER_INFO);
    for (const informer of [this.#map, this.#secrets])
      informer.addHandler({ added: changed, updated: changed, deleted: changed });
    this.#ended = this.#queue.run(() => this.#work(), { workers: 1, onError });
  }

  async close(): Promise<void> {
    this.#queue.close();
    await Promise.all([this.#map.close(), this.#secrets.close(), this.#ended]);
  }

  async #work(): Promise<WorkResult | undefined> {
    // signatures of tokens that are not loaded yet stay
    await Promise.all([this.#map.synced, this.#secrets.synced]);
    const tokens = this.#tokens();
    const namespace = systemNamespace(this.#ambient.vocabulary, 'public');
    const map = this.#map.get(namespace, CLUSTER_INFO);
    const data = map && (await signedData(map.data ?? {}, tokens));
    if (map && data) await unlessOvertaken(() => this.#maps.update({ ...map, data }));
    const ends = tokens.reduce((first, token) => Math.min(first, token.ends), Number.POSITIVE_INFINITY);
    const rest = ends - this.#ambient.clock.now();
    return rest === Number.POSITIVE_INFINITY ? undefined : { againAfterMilliseconds: rest };
  }

  #tokens(): readonly SigningToken[] {
    const { vocabulary, clock } = this.#ambient;
    return this.#secrets.list().flatMap((object) => {
      const secret = readBootstrapSecret(object, vocabulary);
      if (!secret?.signs || secret.secret === '' || isBootstrapSecretExpired(secret, clock.now())) return [];
      // the name of the lookup
      return object.metadata.name === bootstrapSecretName(secret.id) ? [secret] : [];
    });
  }
}

/**
 * The data with the signatures of these tokens only; undefined if nothing changes, or there is nothing to
 * sign.
 */
async function signedData(
  data: Readonly<Record<string, string>>,
  tokens: readonly SigningToken[],
): Promise<Readonly<Record<string, string>> | undefined> {
  const text = data[CONFIGURATION_KEY];
  if (text === undefined) return undefined;
  const isSignature = (key: string): boolean => key.startsWith(SIGNATURE_PREFIX);
  const signed = Object.fromEntries(Object.entries(data).filter(([key]) => !isSignature(key)));
  for (const { id, secret } of tokens)
    signed[SIGNATURE_PREFIX + id] = await detachedSignature(text, id, secret);
  const keys = new Set([...Object.keys(data), ...Object.keys(signed)]);
  return [...keys].some((key) => data[key] !== signed[key]) ? signed : undefined;
}
