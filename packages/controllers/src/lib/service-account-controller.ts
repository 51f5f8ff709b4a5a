import { createInformer, createWorkQueue, type Informer, type ResourceClient } from '@ashlar/client';
import { type ApiObject, StatusError } from '@ashlar/core';
import { type Controller, type ControllerOptions, controllerOf } from './controller.ts';
import { unlessOvertaken } from './unless-overtaken.ts';

interface NamespaceObject extends ApiObject {
  readonly status?: { readonly phase?: string };
}

/** The account of pods that name none. */
const DEFAULT = 'default';

/**
 * Makes a service account `default` in every namespace that is active, and makes it anew when it is deleted (semantics K11).
 * @example
 * const controller = createServiceAccountController({ client, ambient });
 * controller.start();
 */
export function createServiceAccountController(options: ControllerOptions): Controller {
  return controllerOf(() => new DefaultServiceAccounts(options));
}

class DefaultServiceAccounts {
  readonly #accounts: ResourceClient;
  readonly #namespaces: Informer<NamespaceObject>;
  readonly #existing: Informer<ApiObject>;
  readonly #queue: ReturnType<typeof createWorkQueue<string>>;
  readonly #ended: Promise<void>;

  constructor({ client, ambient, onError = () => {} }: ControllerOptions) {
    const ofCore = { group: '', version: 'v1' };
    const namespaces = client.resource<NamespaceObject>({
      ...{ ...ofCore, resource: 'namespaces', kind: 'Namespace' },
    });
    this.#accounts = client.resource({ ...ofCore, resource: 'serviceaccounts', kind: 'ServiceAccount' });
    this.#queue = createWorkQueue<string>({ ambient });
    this.#namespaces = createInformer(namespaces, { onError });
    this.#existing = createInformer(this.#accounts, { fieldSelector: `metadata.name=${DEFAULT}`, onError });
    const consider = ({ metadata }: ApiObject): void => this.#queue.add(metadata.name ?? '');
    this.#namespaces.addHandler({ added: consider, updated: consider });
    this.#existing.addHandler({ deleted: ({ metadata }) => this.#queue.add(metadata.namespace ?? '') });
    this.#ended = this.#queue.run((name) => this.#work(name), { workers: 1, onError });
  }

  async close(): Promise<void> {
    this.#queue.close();
    await Promise.all([this.#namespaces.close(), this.#existing.close(), this.#ended]);
  }

  async #work(namespace: string): Promise<undefined> {
    await Promise.all([this.#namespaces.synced, this.#existing.synced]);
    if (this.#namespaces.get('', namespace)?.status?.phase !== 'Active') return undefined;
    if (this.#existing.get(namespace, DEFAULT)) return undefined;
    const accounts = this.#accounts.namespace(namespace);
    await unlessTerminating(() => unlessOvertaken(() => accounts.create({ metadata: { name: DEFAULT } })));
    return undefined;
  }
}

/** A namespace that has begun to go meanwhile needs no account. */
async function unlessTerminating(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const causes = StatusError.is(error) ? error.details?.causes : undefined;
    if (!causes?.some(({ reason }) => reason === 'NamespaceTerminating')) throw error;
  }
}
