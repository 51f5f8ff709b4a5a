// The controller of site-controller.ts, written with the official client of Kubernetes for JavaScript
import { isDeepStrictEqual } from 'node:util';
import { createWorkQueue } from '@ashlar/client';
import {
  ApiException,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node';
import { FINALIZER, PATIENCE, pageOf, SITE_LABEL } from './sites.ts';

const SITES = { group: 'example.com', version: 'v1', plural: 'sites' };

/** Looks after sites until it is disposed. `configuration` is the text of a client configuration. */
export async function createOfficialSiteController({ configuration, ambient, domains, onError }) {
  const config = new KubeConfig();
  config.loadFromString(configuration);
  const custom = config.makeApiClient(CustomObjectsApi);
  const core = config.makeApiClient(CoreV1Api);
  const queue = createWorkQueue({ ambient });
  let isStopped = false;
  const wanted = makeInformer(config, '/apis/example.com/v1/sites', () =>
    custom.listClusterCustomObject(SITES),
  );
  const pages = makeInformer(
    config,
    '/api/v1/configmaps',
    () => core.listConfigMapForAllNamespaces({ labelSelector: SITE_LABEL }),
    SITE_LABEL,
  );
  for (const informer of [wanted, pages]) {
    informer.on('change', ({ metadata }) => queue.add(`${metadata.namespace}/${metadata.name}`));
    informer.on('error', (error) => {
      if (!isStopped) onError(error);
    });
  }

  async function reconcile(key) {
    const [namespace, name] = key.split('/');
    const site = wanted.get(name, namespace);
    if (!site) return;
    const { finalizers = [], deletionTimestamp, uid } = site.metadata;
    if (deletionTimestamp) {
      if (!finalizers.includes(FINALIZER)) return;
      await domains.release(site.spec.domain, uid);
      await replaceFinalizers(
        site,
        finalizers.filter((each) => each !== FINALIZER),
      );
      return;
    }
    if (!finalizers.includes(FINALIZER)) {
      await replaceFinalizers(site, [...finalizers, FINALIZER]);
      return;
    }
    const before = site.status?.domain;
    if (before !== undefined && before !== site.spec.domain) await domains.release(before, uid);
    const isOurs = (await domains.claim(site.spec.domain, uid)) === uid;
    if (isOurs) await keepPage(site);
    await report(site, isOurs);
    return isOurs ? undefined : { againAfterMilliseconds: PATIENCE };
  }

  function replaceFinalizers(site, finalizers) {
    const { namespace, name } = site.metadata;
    const body = { ...site, metadata: { ...site.metadata, finalizers } };
    return custom.replaceNamespacedCustomObject({ ...SITES, namespace, name, body });
  }

  async function keepPage({ metadata: { namespace, name, uid }, spec }) {
    const data = { 'index.html': pageOf(spec) };
    if (pages.get(name, namespace)?.data?.['index.html'] === data['index.html']) return;
    const owner = { apiVersion: 'example.com/v1', kind: 'Site', name, uid, controller: true };
    const metadata = { name, labels: { [SITE_LABEL]: name }, ownerReferences: [owner] };
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
    await core.patchNamespacedConfigMap(
      { namespace, name, fieldManager: 'sites', force: true, body },
      setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply),
    );
  }

  async function report(site, isOurs) {
    const { namespace, name, generation } = site.metadata;
    const { domain } = site.spec;
    const status = {
      observedGeneration: generation,
      ...(isOurs
        ? { phase: 'Ready', domain }
        : { phase: 'Refused', message: `${domain} belongs to another site` }),
    };
    if (isDeepStrictEqual(site.status, status)) return;
    await custom.replaceNamespacedCustomObjectStatus({
      ...SITES,
      namespace,
      name,
      body: { ...site, status },
    });
  }

  await Promise.all([wanted.start(), pages.start()]);
  const ended = queue.run((key) => reconcile(key).catch(unlessConflict), { onError });
  return {
    async [Symbol.asyncDispose]() {
      isStopped = true;
      queue.close();
      await Promise.all([wanted.stop(), pages.stop(), ended]);
    },
  };
}

/** Somebody wrote between our read and our write: the informer will tell, and the site is looked at again. */
function unlessConflict(error) {
  const isConflict =
    error instanceof ApiException &&
    error.code === 409 &&
    JSON.parse(String(error.body)).reason === 'Conflict';
  if (!isConflict) throw error;
}
