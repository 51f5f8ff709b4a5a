import { isDeepStrictEqual } from 'node:util';
import type { ConfigMap } from '@ashlar/apis';
import {
  type Client,
  createInformer,
  createWorkQueue,
  keyOf,
  parseKey,
  type WorkResult,
} from '@ashlar/client';
import { type Ambient, ownerReferenceTo, StatusError } from '@ashlar/core';
import type { Domains } from './domains.ts';
import { sites as definition, FINALIZER, PATIENCE, pageOf, SITE_LABEL, type Site } from './sites.ts';

export interface SiteControllerOptions {
  readonly client: Client;
  readonly ambient: Pick<Ambient, 'clock'>;
  readonly domains: Domains;
  /** Called with failures, which are retried. */
  readonly onError: (error: unknown) => void;
}

/** Looks after sites until it is disposed. */
export function createSiteController(options: SiteControllerOptions): AsyncDisposable {
  const { client, ambient, domains, onError } = options;
  const sites = client.resource(definition);
  const maps = client.resource<ConfigMap>({
    group: '',
    version: 'v1',
    resource: 'configmaps',
    kind: 'ConfigMap',
  });
  const queue = createWorkQueue({ ambient });
  const siteInformer = createInformer(sites, { onError });
  const pages = createInformer(maps, { labelSelector: SITE_LABEL, onError });
  const consider = (object: Site | ConfigMap): void => queue.add(keyOf(object));
  for (const informer of [siteInformer, pages])
    informer.addHandler({ added: consider, updated: consider, deleted: consider });

  async function reconcile(key: string): Promise<WorkResult | undefined> {
    const { namespace, name } = parseKey(key);
    const site = siteInformer.get(namespace, name);
    if (!site) return undefined;
    const hasFinalizer = site.metadata.finalizers?.includes(FINALIZER) ?? false;
    if (!site.metadata.deletionTimestamp) return hasFinalizer ? serve(site) : hold(site);
    return hasFinalizer ? release(site) : undefined;
  }

  /** Adds the finalizer first: from then on nothing can be claimed that is not released. */
  async function hold(site: Site): Promise<undefined> {
    await replaceFinalizers(site, [...(site.metadata.finalizers ?? []), FINALIZER]);
  }

  async function release(site: Site): Promise<undefined> {
    const { finalizers = [], uid = '' } = site.metadata;
    await domains.release(site.spec.domain, uid);
    await replaceFinalizers(
      site,
      finalizers.filter((each) => each !== FINALIZER),
    );
  }

  async function replaceFinalizers(site: Site, finalizers: readonly string[]): Promise<void> {
    const { namespace = '' } = site.metadata;
    await sites.namespace(namespace).update({ ...site, metadata: { ...site.metadata, finalizers } });
  }

  async function serve(site: Site): Promise<WorkResult | undefined> {
    const { metadata, spec, status } = site;
    const { uid = '' } = metadata;
    const before = status?.domain;
    if (before !== undefined && before !== spec.domain) await domains.release(before, uid);
    const isOurs = (await domains.claim(spec.domain, uid)) === uid;
    if (isOurs) await keepPage(site);
    await report(site, isOurs);
    return isOurs ? undefined : { againAfterMilliseconds: PATIENCE };
  }

  async function keepPage(site: Site): Promise<void> {
    const { namespace = '', name = '' } = site.metadata;
    const data = { 'index.html': pageOf(site.spec) };
    if (pages.get(namespace, name)?.data?.['index.html'] === data['index.html']) return;
    const ownerReferences = [ownerReferenceTo(site, { controller: true })];
    await maps
      .namespace(namespace)
      .apply(
        { metadata: { name, labels: { [SITE_LABEL]: name }, ownerReferences }, data },
        { fieldManager: 'sites', force: true },
      );
  }

  async function report(site: Site, isOurs: boolean): Promise<void> {
    const { generation = 0, namespace = '' } = site.metadata;
    const { domain } = site.spec;
    const status: Site['status'] = {
      observedGeneration: generation,
      ...(isOurs
        ? { phase: 'Ready', domain }
        : { phase: 'Refused', message: `${domain} belongs to another site` }),
    };
    if (isDeepStrictEqual(site.status, status)) return;
    await sites.namespace(namespace).status.update({ ...site, status });
  }

  const ended = Promise.all([siteInformer.synced, pages.synced]).then(
    () => queue.run((key) => reconcile(key).catch(unlessConflict), { onError }),
    () => {}, // the informers have reported the error
  );
  return {
    async [Symbol.asyncDispose]() {
      queue.close();
      await Promise.all([siteInformer.close(), pages.close(), ended]);
    },
  };
}

/** Somebody wrote between our read and our write: the informer will tell, and the site is looked at again. */
function unlessConflict(error: unknown): undefined {
  if (!StatusError.is(error, 'Conflict')) throw error;
}
