import { kubernetesVocabulary, orchVocabulary, systemNamespace } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createApiServer } from '../assembly/create-api-server.ts';
import { type ClientAuthentication, publishAuthentication } from './publish-authentication.ts';

const pem = (text: string): string => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
const requestHeader = {
  certificateAuthority: pem('proxies'),
  ...{
    allowedNames: ['front'],
    usernameHeaders: ['X-Remote-User'],
    groupHeaders: [],
    extraHeaderPrefixes: [],
  },
};

describe.each([kubernetesVocabulary, orchVocabulary])(
  'publishAuthentication, in the words of $name',
  (vocabulary) => {
    /** The config map after all of these servers have published theirs. */
    async function published(
      ...all: readonly (ClientAuthentication | Readonly<Record<string, string>>)[]
    ): Promise<unknown> {
      await using server = createApiServer({ vocabulary, controllers: false });
      await server.ready;
      for (const each of all) await publishAuthentication(server, each as ClientAuthentication);
      const maps = server.client
        .resource({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' })
        .namespace(systemNamespace(vocabulary, 'system'));
      const { items } = await maps.list();
      return items.map(({ metadata, data }) => [metadata.name, data]);
    }

    it('says who signs the certificates of clients and proxies', async () => {
      expect(await published({ clientCertificateAuthority: pem('clients'), requestHeader })).toEqual([
        [
          'extension-apiserver-authentication',
          {
            'client-ca-file': pem('clients'),
            'requestheader-allowed-names': '["front"]',
            'requestheader-client-ca-file': pem('proxies'),
            'requestheader-extra-headers-prefix': '[]',
            'requestheader-group-headers': '[]',
            'requestheader-username-headers': '["X-Remote-User"]',
          },
        ],
      ]);
    });

    it('says nothing without certificates', async () => {
      expect(await published({})).toEqual([]);
    });

    it('leaves what other servers have published, and repeats nothing', async () => {
      const first = { clientCertificateAuthority: pem('a'), requestHeader };
      const second = {
        clientCertificateAuthority: pem('a') + pem('b'),
        requestHeader: { ...requestHeader, allowedNames: ['other', 'front'] },
      };
      const [[, data]] = (await published(first, second, first)) as [[string, Record<string, string>]];
      expect(data['client-ca-file']).toBe(pem('a') + pem('b'));
      expect(data['requestheader-allowed-names']).toBe('["front","other"]');
      expect(data['requestheader-client-ca-file']).toBe(pem('proxies'));
    });
  },
);
