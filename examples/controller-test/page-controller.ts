import type { ConfigMap } from '@ashlar/apis';
import {
  type Client,
  createInformer,
  createWorkQueue,
  type Informer,
  keyOf,
  parseKey,
  type ResourceClient,
  type WorkQueue,
} from '@ashlar/client';
import { type Ambient, type ApiObject, StatusError } from '@ashlar/core';
import { isRendered, type Page, pages } from './pages.ts';

const FILE = 'index.html';
const labels = { 'example.com/rendered': 'page' };

export interface PageControllerOptions {
  readonly client: Client;
  readonly ambient: Pick<Ambient, 'clock'>;
  /** Called with errors, which are retried. */
  readonly onError?: (error: unknown) => void;
}

/** Maintains a ConfigMap for each Page until it is disposed. */
export function createPageController(options: PageControllerOptions): AsyncDisposable {
  return new PageController(options);
}

class PageController implements AsyncDisposable {
  readonly #pages: ResourceClient<Page>;
  readonly #configMaps: ResourceClient<ConfigMap>;
  readonly #pageInformer: Informer<Page>;
  readonly #rendered: Informer<ConfigMap>;
  readonly #queue: WorkQueue;
  readonly #ended: Promise<void>;

  constructor({ client, ambient, onError = () => {} }: PageControllerOptions) {
    const { group, names } = pages;
    this.#pages = client.resource({ group, version: 'v1', resource: names.plural, kind: names.kind });
    this.#configMaps = client.resource({
      group: '',
      version: 'v1',
      resource: 'configmaps',
      kind: 'ConfigMap',
    });
    this.#queue = createWorkQueue({ ambient });
    this.#pageInformer = createInformer(this.#pages, { onError });
    this.#rendered = createInformer(this.#configMaps, {
      labelSelector: 'example.com/rendered=page',
      onError,
    });
    const consider = (object: ApiObject): void => this.#queue.add(keyOf(object));
    for (const informer of [this.#pageInformer, this.#rendered])
      informer.addHandler({ added: consider, updated: consider, deleted: consider });
    this.#ended = this.#run(onError);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#queue.close();
    await Promise.all([this.#pageInformer.close(), this.#rendered.close()]);
    await this.#ended;
  }

  /** Waits for both informers: missing objects would count as absent. */
  async #run(onError: (error: unknown) => void): Promise<void> {
    const synced = await Promise.allSettled([this.#pageInformer.synced, this.#rendered.synced]);
    if (synced.every(({ status }) => status === 'fulfilled'))
      await this.#queue.run((key) => this.#reconcile(key), { onError });
  }

  /** Reconciles one page. Level-triggered: it may run at any time. */
  async #reconcile(key: string): Promise<void> {
    const { namespace, name } = parseKey(key);
    const page = this.#pageInformer.get(namespace, name);
    const rendered = this.#rendered.get(namespace, name);
    if (!page) {
      if (rendered) await ignoringNotFound(this.#configMaps.namespace(namespace).delete(name));
      return;
    }
    await this.#render(page, rendered);
    if (isRendered(page)) return;
    const status = { renderedGeneration: page.metadata.generation ?? 0 };
    await ignoringNotFound(this.#pages.status.update({ ...page, status }));
  }

  async #render(
    { metadata: { namespace = '', name = '' }, spec }: Page,
    rendered?: ConfigMap,
  ): Promise<void> {
    const configMaps = this.#configMaps.namespace(namespace);
    const data = { [FILE]: html(spec) };
    if (!rendered) await configMaps.create({ metadata: { name, labels }, data });
    else if (rendered.data?.[FILE] !== data[FILE]) await configMaps.update({ ...rendered, data });
  }
}

const html = ({ title, body }: Page['spec']): string =>
  `<!doctype html><title>${escaped(title)}</title><p>${escaped(body)}</p>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

async function ignoringNotFound(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!StatusError.is(error, 'NotFound')) throw error;
  }
}
