import { createClient } from '@ashlar/client';
import { encodeBase64, groupName, type JsonObject, type Vocabulary, vocabularies } from '@ashlar/core';
import { parseEncryptionConfiguration } from '@ashlar/encryption';
import { createInProcessTransport } from '@ashlar/http';
import { nodeAmbient } from '@ashlar/http-node';
import { createMemoryStore } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../assembly/api-server.ts';
import { createApiServer } from '../../../assembly/create-api-server.ts';
import { runCommand } from '../../command.ts';
import { migrateResources } from './migrate-storage.ts';

/** A configuration that writes with the first of these keys. */
const keys = (vocabulary: Vocabulary, ...names: readonly string[]) =>
  parseEncryptionConfiguration(
    new TextEncoder().encode(
      JSON.stringify({
        apiVersion: `${groupName(vocabulary, 'apiserver.config.')}/v1`,
        kind: 'EncryptionConfiguration',
        resources: [
          {
            resources: ['secrets'],
            providers: names.map((name) => ({
              aesgcm: { keys: [{ name, secret: encodeBase64(new Uint8Array(32).fill(name.charCodeAt(0))) }] },
            })),
          },
        ],
      }),
    ),
    { vocabulary, file: 'keys.yaml' },
  );

async function migrate(server: ApiServer, vocabulary: Vocabulary, ...names: readonly string[]) {
  const connection = {
    transport: createInProcessTransport(server.handler),
    baseUrl: 'http://server',
    ambient: nodeAmbient(vocabulary),
  };
  const [out, errors]: [string[], string[]] = [[], []];
  const status = await migrateResources(connection, names, {
    stdout: (text) => void out.push(text.trimEnd()),
    stderr: (text) => void errors.push(text.trimEnd()),
  });
  return { status, out, errors, client: createClient(connection) };
}

describe.each(Object.entries(vocabularies))(
  'ashlar migrate-storage, with the names of %s',
  (_, vocabulary) => {
    const engine = () => createMemoryStore({ clock: nodeAmbient(vocabulary).clock });

    it('encrypts everything with the key that writes now', async () => {
      const storage = engine();
      const configuration = keys(vocabulary, 'old');
      const options = { vocabulary, storage, controllers: false } as const;
      await using server = createApiServer({ ...options, encryption: { configuration, reload: true } });
      await server.ready;
      const { client } = await migrate(server, vocabulary, 'secrets');
      for (let index = 0; index < 200; index++)
        await client.request({
          method: 'POST',
          path: '/api/v1/namespaces/default/secrets',
          body: { metadata: { name: `s${index}` }, data: { a: 'YQ==' } },
        });
      const writtenBy = async (name: string): Promise<number> => {
        const { entries } = await storage.range('/secrets/');
        return entries.filter(({ value }) =>
          new TextDecoder('latin1').decode(value.subarray(0, 60)).includes(`:aesgcm:v1:${name}:`),
        ).length;
      };
      expect(await writtenBy('old')).toBe(200);
      await server.useEncryption(keys(vocabulary, 'new', 'old'));
      const { status, out, errors } = await migrate(server, vocabulary, 'secrets');
      expect([status, out, errors.slice(0, 3)]).toEqual([0, ['secrets: 200 objects'], []]);
      expect([await writtenBy('old'), await writtenBy('new')]).toEqual([0, 200]);
      const revision = await storage.currentRevision();
      expect((await migrate(server, vocabulary, 'secrets')).status).toBe(0);
      expect(await storage.currentRevision()).toBe(revision);
      await server.useEncryption(keys(vocabulary, 'new'));
      const read = await client.request({ method: 'GET', path: '/api/v1/namespaces/default/secrets/s7' });
      expect(read).toMatchObject({ data: { a: 'YQ==' } });
    });

    it('stores custom resources in their storage version, and says so in the definition', async () => {
      const storage = engine();
      await using server = createApiServer({ vocabulary, storage });
      await server.ready;
      const { client } = await migrate(server, vocabulary, 'secrets');
      const path = `/apis/${groupName(vocabulary, 'apiextensions.')}/v1/customresourcedefinitions`;
      const spec = { type: 'object', properties: { a: { type: 'integer' } } };
      const version = (name: string, isStorage: boolean): JsonObject => ({
        ...{ name, served: true, storage: isStorage },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      });
      const definition = (stored: string): JsonObject => ({
        metadata: { name: 'things.example.com' },
        spec: {
          ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' } },
          versions: ['v1', 'v2'].map((name) => version(name, name === stored)),
        },
      });
      await client.request({ method: 'POST', path, body: definition('v1') });
      const things = '/apis/example.com/v2/namespaces/default/things';
      await expect
        .poll(() =>
          client.request({ method: 'GET', path: things }).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      for (let index = 0; index < 20; index++)
        await client.request({
          method: 'POST',
          path: things,
          body: {
            apiVersion: 'example.com/v2',
            kind: 'Thing',
            metadata: { name: `t${index}` },
            spec: { a: index },
          },
        });
      const storedAs = async (): Promise<readonly unknown[]> => {
        const { entries } = await storage.range('/');
        const stored = entries
          .map(({ value }) => new TextDecoder().decode(value))
          .filter((text) => text.startsWith('{') && text.includes('"kind":"Thing"'))
          .map((text) => JSON.parse(text) as JsonObject)
          .filter(({ kind }) => kind === 'Thing');
        return [...new Set(stored.map(({ apiVersion }) => apiVersion))];
      };
      expect(await storedAs()).toEqual(['example.com/v1']);
      const body = { spec: definition('v2').spec };
      const contentType = 'application/merge-patch+json';
      await client.request({ method: 'PATCH', path: `${path}/things.example.com`, body, contentType });
      const storedVersions = async () =>
        (
          (await client.request({ method: 'GET', path: `${path}/things.example.com` })) as {
            status: JsonObject;
          }
        ).status.storedVersions;
      expect(await storedVersions()).toEqual(['v1', 'v2']);
      await expect
        .poll(async () => {
          const { status, out } = await migrate(server, vocabulary, 'things.example.com');
          return [status, out.at(-1), await storedAs()];
        })
        .toEqual([0, expect.any(String), ['example.com/v2']]);
      expect(await storedVersions()).toEqual(['v2']);
    });

    it('migrates everything that can be patched, and names what there is not', async () => {
      await using server = createApiServer({ vocabulary, controllers: false });
      await server.ready;
      const { status, out } = await migrate(server, vocabulary);
      expect(status).toBe(0);
      expect(out).toContain('namespaces: 4 objects');
      expect(out.some((line) => line.includes('subjectaccessreviews'))).toBe(false);
      await expect(migrate(server, vocabulary, 'nothings')).rejects.toThrow(
        'the server has no resource nothings whose objects can be patched',
      );
    });
  },
);

it('migrate-storage refuses a configuration that is not there', async () => {
  const errors: string[] = [];
  const status = await runCommand(['migrate-storage', '--kubeconfig=/none/config', 'secrets'], {
    stdout: () => {},
    stderr: (text) => void errors.push(text),
    signal: new AbortController().signal,
  });
  expect([status, errors.join('')]).toEqual([2, expect.stringContaining('flag --kubeconfig: ')]);
});
