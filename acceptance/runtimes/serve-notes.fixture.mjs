// A server that is called as each runtime calls handlers; prints what it answered. Run with Node, Bun, Deno, or as a worker
import { defineResource } from '@ashlar/apis';
import { kubernetesVocabulary } from '@ashlar/core';
import { listen } from '@ashlar/http-node';
import { createApiServer } from '@ashlar/server';
import { z } from 'zod';

const TYPE = { apiVersion: 'example.com/v1', kind: 'Note' };
const COLLECTION = '/apis/example.com/v1/notes';
const notes = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Note',
  spec: z.object({ text: z.string() }),
});
const server = createApiServer({ vocabulary: kubernetesVocabulary, resources: [notes] });
await server.ready;

const create = async (name) => {
  const { status } = await server.fetch(
    new Request('http://localhost/apis/example.com/v1/namespaces/default/notes', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...TYPE, metadata: { name }, spec: { text: 'hi' } }),
    }),
  );
  return status;
};
const namesIn = (text) => [...text.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name);
const names = async (response) => namesIn(await response.text()).join();

const created = [await create('a')];
const watch = await server.fetch(new Request(`http://localhost${COLLECTION}?watch=true&resourceVersion=0`));
const reader = watch.body.getReader();
const next = async () => namesIn(new TextDecoder().decode((await reader.read()).value)).join();
const watched = [await next()];
created.push(await create('b'));
watched.push(await next());
await reader.cancel();

const { Bun, Deno } = globalThis;
const served = [];
if (Bun) {
  const http = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: server.fetch });
  served.push(await names(await fetch(`http://127.0.0.1:${http.port}${COLLECTION}`)));
  http.stop(true);
}
if (Deno) {
  const http = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen() {} }, server.fetch);
  served.push(await names(await fetch(`http://127.0.0.1:${http.addr.port}${COLLECTION}`)));
  await http.shutdown();
}
const listener = await listen(server.handler);
served.push(await names(await fetch(listener.url + COLLECTION)));
await listener.close({ graceMilliseconds: 0 });
await server.close();
console.log(JSON.stringify({ created, watched, served }));
