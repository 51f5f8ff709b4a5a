import type { Client } from '@ashlar/client';
import { StatusError, systemNamespace, type Vocabulary } from '@ashlar/core';

/** Makes the namespaces that every server has, as far as they are not there (semantics M1). */
export async function bootstrapNamespaces(client: Client, vocabulary: Vocabulary): Promise<void> {
  const namespaces = client.resource({ group: '', version: 'v1', resource: 'namespaces' });
  const system = (['system', 'public', 'node-lease'] as const).map((suffix) => systemNamespace(vocabulary, suffix));
  for (const name of ['default', ...system]) {
    try {
      await namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    } catch (error) {
      if (!StatusError.is(error, 'AlreadyExists')) throw error;
    }
  }
}
