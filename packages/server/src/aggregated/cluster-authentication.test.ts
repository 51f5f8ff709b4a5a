import type { Client } from '@ashlar/client';
import { kubernetesVocabulary } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { expect, test } from 'vitest';
import { ClusterAuthentication } from './cluster-authentication.ts';

/** A client of a cluster that has this config map. */
function clientOf(data: Readonly<Record<string, string>>): Client {
  const maps = { get: async () => ({ metadata: {}, data }) };
  return { resource: () => ({ namespace: () => maps }) } as unknown as Client;
}

test.each([
  ['["a"', 'unexpected end of JSON input'],
  ['[a]', "invalid character 'a' looking for beginning of value"],
])('a list of names that is %s is reported', async (list, why) => {
  const errors: unknown[] = [];
  const authentication = new ClusterAuthentication({
    client: clientOf({ 'requestheader-client-ca-file': '', 'requestheader-allowed-names': list }),
    ambient: nodeAmbient(kubernetesVocabulary),
    onError: (error) => void errors.push((error as Error).cause),
  });
  await expect(authentication.start(() => {})).rejects.toThrow('the cluster names no front proxy');
  expect(errors).toEqual([new Error(`requestheader-allowed-names is no list of names: ${why}`)]);
});
