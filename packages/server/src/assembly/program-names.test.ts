import { type ApiObject, kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from './api-server.ts';
import { createApiServer } from './create-api-server.ts';

const objects = ({ client }: ApiServer, resource: string, kind: string) =>
  client.resource({ group: '', version: 'v1', resource, kind });

const managersOf = ({ metadata }: ApiObject): readonly unknown[] =>
  (metadata.managedFields ?? []).map(({ manager }) => manager);

describe('fields', () => {
  it('of objects that a server makes when it starts are managed by its program', async () => {
    await using server = createApiServer({ vocabulary: kubernetesVocabulary });
    await server.ready;
    const namespace = await objects(server, 'namespaces', 'Namespace').get('kube-system');
    expect(managersOf(namespace)).toEqual(['kube-apiserver']);
  });

  it('that it writes through its client are, too', async () => {
    await using server = createApiServer({ vocabulary: kubernetesVocabulary });
    const namespaces = objects(server, 'namespaces', 'Namespace');
    expect(managersOf(await namespaces.create({ metadata: { name: 'own' } }))).toEqual(['kube-apiserver']);
  });

  it('that its controllers write are managed by theirs', async () => {
    await using server = createApiServer({
      vocabulary: kubernetesVocabulary,
      rootCertificateAuthority: 'certificate',
    });
    const maps = objects(server, 'configmaps', 'ConfigMap').namespace('default');
    for await (const { object } of maps.watch()) {
      expect(managersOf(object)).toEqual(['kube-controller-manager']);
      break;
    }
  });
});
