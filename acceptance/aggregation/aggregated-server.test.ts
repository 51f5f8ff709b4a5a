import { once } from 'node:events';
import { connect } from 'node:net';
import { defineResource } from '@ashlar/apis';
import { type ApiObject, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { createNodeTransport, listen, nodeAmbient } from '@ashlar/http-node';
import { type AggregatedServer, createAggregatedServer, createApiServer } from '@ashlar/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Cluster, startCluster } from './cluster.fixture.ts';

const widgets = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  spec: z.object({ size: z.int().min(1).default(1) }),
});

/** The parts of responses that are looked at. */
interface Answer {
  readonly message: string;
  readonly items: readonly { readonly metadata: { readonly name?: string } }[];
  readonly paths: object;
  readonly spec: { readonly caBundle: string };
  readonly components: { readonly schemas: object };
}

const read = async (response: Response | Promise<Response>): Promise<Answer> =>
  (await (await response).json()) as Answer;

describe.each([kubernetesVocabulary, orchVocabulary])('a server behind another one ($name)', (vocabulary) => {
  let cluster: Cluster;
  let aggregated: AggregatedServer;
  const own = createNodeTransport({ tls: { insecure: true } });

  beforeAll(async () => {
    cluster = await startCluster(vocabulary);
    aggregated = await createAggregatedServer({
      vocabulary,
      resources: [widgets],
      service: { namespace: 'default', name: 'widgets', externalName: 'localhost' },
      connection: cluster.connection,
      onError: () => {},
    });
    await aggregated.available(AbortSignal.timeout(20_000));
  });
  afterAll(async () => {
    await aggregated?.close();
    await cluster?.close();
    own.close();
  });

  const path = '/apis/example.com/v1/namespaces/default/widgets';
  const widget = (name: string, spec: object = {}): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec }),
  });

  it('registers its versions with its certificate', async () => {
    const group = `apiregistration.${vocabulary.groupDomain}`;
    const service = await read(cluster.ask(`/apis/${group}/v1/apiservices/v1.example.com`));
    expect(service).toMatchObject({
      spec: { service: { namespace: 'default', name: 'widgets' }, groupPriorityMinimum: 1000 },
      status: { conditions: [{ type: 'Available', status: 'True', reason: 'Passed' }] },
    });
    expect(Buffer.from(service.spec.caBundle, 'base64').toString()).toMatch(/^-----BEGIN CERTIFICATE/);
  });

  it('serves its types through the other one, with its own validation', async () => {
    expect((await cluster.ask(path, widget('a'))).status).toBe(201);
    const found = (await (await cluster.ask(`${path}/a`)).json()) as ApiObject;
    expect(found).toMatchObject({ kind: 'Widget', spec: { size: 1 } });
    const wrong = await cluster.ask(path, widget('b', { size: 0 }));
    expect([wrong.status, (await read(wrong)).message]).toEqual([
      422,
      'Widget.example.com "b" is invalid: spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
    ]);
  });

  it('streams events as they happen', async () => {
    const leave = new AbortController();
    const response = await cluster.ask(`${path}?watch=1&fieldSelector=metadata.name=watched`, {
      signal: leave.signal,
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await cluster.ask(path, widget('watched'));
    const { value } = await reader.read();
    expect(JSON.parse(new TextDecoder().decode(value).split('\n')[0] as string)).toMatchObject({
      type: 'ADDED',
      object: { metadata: { name: 'watched' } },
    });
    leave.abort();
  });

  it('hands over WebSockets', async () => {
    const socket = connect(Number(new URL(cluster.listener.url).port), '127.0.0.1');
    socket.write(
      [
        `GET ${path}?watch=1 HTTP/1.1`,
        'Host: 127.0.0.1',
        'Authorization: Bearer admin-token',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        '\r\n',
      ].join('\r\n'),
    );
    let heard = '';
    while (!heard.includes('"ADDED"')) {
      const [data] = (await once(socket, 'data')) as [Buffer];
      heard += data.toString('latin1');
    }
    expect(heard).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
    socket.destroy();
  });

  it('sees the caller, and asks the other one whether he may', async () => {
    const alice = { authorization: 'Bearer alice-token' };
    const created = { ...widget('c'), headers: { ...alice, 'content-type': 'application/json' } };
    expect((await cluster.ask(path, created)).status).toBe(403);
    expect((await cluster.ask(path, { headers: alice })).status).toBe(200);
    // she gets through to it only as who she is
    const direct = async (at: string, headers: Record<string, string>): Promise<number> =>
      (await own.request(aggregated.listener.url + at, { method: 'GET', headers })).status;
    expect(await direct(path, alice)).toBe(200);
    expect(await direct(path, { authorization: 'Bearer nobody' })).toBe(401);
    expect(await direct(path, { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' })).toBe(403);
    expect(await direct('/readyz', {})).toBe(200);
  });

  it('publishes its own types only', async () => {
    const get = async (at: string): Promise<{ paths?: object; groups?: object[]; definitions?: object }> => {
      const headers = { authorization: 'Bearer admin-token' };
      const response = await own.request(aggregated.listener.url + at, { method: 'GET', headers });
      return response.status === 200 ? JSON.parse(new TextDecoder().decode(await response.body())) : {};
    };
    expect((await get('/apis')).groups).toMatchObject([{ name: 'example.com' }]);
    expect(Object.keys((await get('/openapi/v3')).paths ?? {})).toEqual(['apis/example.com/v1', 'version']);
    expect(await get('/api/v1/namespaces')).toEqual({});
  });

  it('is described by the other one', async () => {
    const inForm = (): Promise<Answer> =>
      read(
        cluster.ask('/apis', {
          headers: {
            accept: `application/json;g=apidiscovery.${vocabulary.groupDomain};v=v2;as=APIGroupDiscoveryList`,
          },
        }),
      );
    await expect
      .poll(async () => (await inForm()).items.find(({ metadata }) => metadata.name === 'example.com'))
      .toMatchObject({
        versions: [
          {
            freshness: 'Current',
            resources: [
              { resource: 'widgets', responseKind: { group: 'example.com', version: 'v1', kind: 'Widget' } },
            ],
          },
        ],
      });
    const document = (at: string): Promise<Answer> => read(cluster.ask(at));
    await expect
      .poll(async () => Object.keys((await document('/openapi/v3')).paths))
      .toEqual(expect.arrayContaining(['api/v1', 'apis/example.com/v1']));
    await expect
      .poll(async () => Object.keys((await document('/openapi/v2')).paths))
      .toEqual(expect.arrayContaining(['/apis/example.com/v1/namespaces/{namespace}/widgets']));
    const described = await document('/openapi/v3/apis/example.com/v1');
    expect(Object.keys(described.components.schemas)).toContain('com.example.v1.Widget');
  });

  it('knows the namespaces of the other one, and loses its objects with them', async () => {
    const inTeam = path.replace('default', 'team');
    const refused = await cluster.ask(inTeam, widget('a'));
    expect([refused.status, (await read(refused)).message]).toEqual([404, 'namespaces "team" not found']);
    const namespaces = cluster.server.client.resource<ApiObject>({
      ...{ group: '', version: 'v1', resource: 'namespaces', kind: 'Namespace' },
    });
    await namespaces.create({ metadata: { name: 'team' } });
    await expect.poll(async () => (await cluster.ask(inTeam, widget('a'))).status).toBe(201);
    await namespaces.delete('team');
    await expect
      .poll(async () => (await read(cluster.ask(inTeam))).items.length, { timeout: 20_000 })
      .toBe(0);
    await expect
      .poll(async () => (await cluster.ask('/api/v1/namespaces/team')).status, { timeout: 20_000 })
      .toBe(404);
  }, 60_000);
});

it('names what a cluster without a front proxy lacks', async () => {
  await using server = createApiServer({ vocabulary: kubernetesVocabulary });
  await server.ready;
  const listener = await listen(server.handler);
  const transport = createNodeTransport();
  await expect(
    createAggregatedServer({
      resources: [widgets],
      service: { namespace: 'default', name: 'widgets' },
      connection: { transport, baseUrl: listener.url, ambient: nodeAmbient(kubernetesVocabulary) },
    }),
  ).rejects.toThrow(
    'the cluster names no front proxy in the config map kube-system/extension-apiserver-authentication',
  );
  transport.close();
  await listener.close();
});
