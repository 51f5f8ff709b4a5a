import { workloadResources } from '@ashlar/apis/workloads';
import { kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { ApiServerOptions } from '../assembly/api-server-options.ts';
import { createApiServer } from '../assembly/create-api-server.ts';
import { DEFAULT_ADMISSION_PLUGINS } from './admission-plugin-names.ts';

interface Created {
  readonly metadata: { readonly finalizers?: readonly string[] };
  readonly spec: Readonly<Record<string, unknown>>;
}

async function created(
  vocabulary: Vocabulary,
  options: ApiServerOptions,
  resource: string,
  object: object,
): Promise<Created> {
  await using server = createApiServer({
    vocabulary,
    resources: workloadResources(vocabulary),
    controllers: ['serviceaccount'],
    ...options,
  });
  await server.ready;
  return (await server.client.request({
    method: 'POST',
    path: `/api/v1/${resource}`,
    body: { apiVersion: 'v1', metadata: { name: 'a' }, ...object },
  })) as Created;
}

const pod = { kind: 'Pod', spec: { containers: [{ name: 'c', image: 'i' }] } };
const claim = {
  kind: 'PersistentVolumeClaim',
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const none = { disabledAdmissionPlugins: DEFAULT_ADMISSION_PLUGINS };

describe.each([kubernetesVocabulary, orchVocabulary])('in vocabulary $name', (vocabulary) => {
  it('the plugins of a default server run', async () => {
    const { spec } = await created(vocabulary, {}, 'namespaces/default/pods', pod);
    expect(spec).toMatchObject({ priority: 0, tolerations: [{}, {}] });
    const { metadata } = await created(vocabulary, {}, 'namespaces/default/persistentvolumeclaims', claim);
    expect(metadata.finalizers).toEqual([`${vocabulary.labelDomain}/pvc-protection`]);
    await expect(created(vocabulary, {}, 'namespaces/none/pods', pod)).rejects.toThrow(
      'namespaces "none" not found',
    );
  });

  it('none of them runs if all are disabled, and the others do if one is', async () => {
    const { spec } = await created(vocabulary, none, 'namespaces/none/pods', pod);
    expect([spec.priority, spec.tolerations]).toEqual([undefined, undefined]);
    const { metadata } = await created(vocabulary, none, 'namespaces/none/persistentvolumeclaims', claim);
    expect(metadata.finalizers).toBeUndefined();
    const { spec: node } = await created(vocabulary, none, 'nodes', { kind: 'Node', spec: {} });
    expect(node.taints).toBeUndefined();
    const one = { disabledAdmissionPlugins: ['Priority'] as const };
    const { spec: unranked } = await created(vocabulary, one, 'namespaces/default/pods', pod);
    expect([unranked.priority, (unranked.tolerations as unknown[]).length]).toEqual([undefined, 2]);
  });
});

it('a name that is not one of them is refused', () => {
  const options = { disabledAdmissionPlugins: ['Other'] } as unknown as ApiServerOptions;
  expect(() => createApiServer(options)).toThrow(/disabledAdmissionPlugins.*NamespaceLifecycle/s);
});
