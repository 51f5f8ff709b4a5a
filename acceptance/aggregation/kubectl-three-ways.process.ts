import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineResource } from '@ashlar/apis';
import { createBearerAuthenticator, createStaticTokens, withAuthenticatedGroup } from '@ashlar/authn';
import { withPrivilegedGroup } from '@ashlar/authz';
import { kubernetesVocabulary } from '@ashlar/core';
import { listen, nodeAmbient } from '@ashlar/http-node';
import {
  clientConfigurationFor,
  createAggregatedServer,
  createApiServer,
  createServingCertificate,
} from '@ashlar/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createClientCertificates } from '../../conformance/client-certificates.ts';
import { AshlarProcess } from '../../packages/server/src/command/ashlar-process.fixture.ts';
import { COMMANDS, described, transcript } from './kubectl-transcript.fixture.ts';
import { hasReference, startReference } from './reference.fixture.ts';

const widgets = () =>
  defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    spec: z.object({ size: z.int().min(1).default(1) }),
    columns: [{ name: 'Size', type: 'integer', cell: ({ spec }) => spec.size }],
  });

let folder: string;
let directly: readonly string[];
const newFolder = (name: string): string => mkdtempSync(join(folder, `${name}-`));

/** Without a cluster: it does everything itself. */
async function transcriptOfServer(): Promise<readonly string[]> {
  const { random } = nodeAmbient(kubernetesVocabulary);
  const admin = { token: 'admin-token', user: { name: 'admin', groups: ['system:masters'] } };
  await using server = createApiServer({
    vocabulary: kubernetesVocabulary,
    resources: [widgets()],
    authenticator: () =>
      withAuthenticatedGroup(createBearerAuthenticator(createStaticTokens([admin], random))),
    authorizer: ({ rbac }) => withPrivilegedGroup(rbac()),
  });
  await server.ready;
  const { certificateAuthority, ...tls } = await createServingCertificate();
  await using listener = await listen(server.handler, { port: 0, tls });
  const kubeconfig = join(folder, 'direct.kubeconfig');
  await writeFile(
    kubeconfig,
    clientConfigurationFor({ server: listener.url, token: 'admin-token', certificateAuthority }),
  );
  return await transcript(kubeconfig, newFolder('direct'));
}

async function transcriptBehind(kubeconfig: string, name: string): Promise<readonly string[]> {
  await using server = await createAggregatedServer({
    resources: [widgets()],
    service: { namespace: 'default', name: 'widgets', externalName: 'localhost' },
    kubeconfig,
  });
  await server.available();
  await described(kubeconfig, newFolder(name));
  return await transcript(kubeconfig, newFolder(name));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'three-ways-'));
  if (hasReference) directly = await transcriptOfServer();
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.runIf(hasReference)('everyday commands of kubectl', { timeout: 300_000 }, () => {
  test('are answered by a server', () => {
    expect(directly).toHaveLength(COMMANDS.length);
    const all = directly.join('');
    for (const expected of [
      'widget.example.com/new created',
      'widgets.example.com "new" already exists',
      'namespaces "nowhere" not found',
      'Apply failed with 1 conflict',
      'widget.example.com/x1 edited',
      'the server doesn\'t have a resource type "gadgets"',
    ])
      expect(all).toContain(expected);
  });

  test('are answered in the same way behind a server of Ashlar', async () => {
    const state = newFolder('state');
    using certificates = await createClientCertificates();
    const file = (name: string): string => join(certificates.folder, name);
    const words = ['serve', '--vocabulary=kubernetes', '--secure-port=0', '--storage=memory'];
    const proxy = [
      '--authorization-mode=RBAC',
      `--proxy-client-cert-file=${file('front-proxy.crt')}`,
      `--proxy-client-key-file=${file('front-proxy.key')}`,
      `--requestheader-client-ca-file=${file('ca.crt')}`,
      '--requestheader-allowed-names=front-proxy',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    ];
    await using _ = await new AshlarProcess(state, ...words, ...proxy).serving();
    const behind = await transcriptBehind(join(state, '.ashlar/kubeconfig'), 'ashlar');
    for (const [i, text] of behind.entries()) expect.soft(text).toBe(directly[i]);
  });

  test('are answered in the same way behind the reference', async () => {
    await using reference = await startReference();
    const behind = await transcriptBehind(reference.kubeconfig, 'reference');
    for (const [i, text] of behind.entries()) expect.soft(text).toBe(directly[i]);
  });
});
