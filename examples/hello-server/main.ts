// An API server with a custom resource type: `npx tsx examples/hello-server/main.ts`
import { defineResource } from '@ashlar/apis';
import { kubernetesVocabulary } from '@ashlar/core';
import { listen } from '@ashlar/http-node';
import { createApiServer } from '@ashlar/server';
import { z } from 'zod';

const greetings = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: z.object({ text: z.string().min(1), times: z.int().min(1).max(9).default(1) }),
  columns: [{ name: 'Text', cell: ({ spec }) => spec.text }],
});

const server = createApiServer({ vocabulary: kubernetesVocabulary, resources: [greetings] });
await server.ready;
const listener = await listen(server.handler, { port: Number(process.env.PORT ?? 0) });

console.log(`serving ${listener.url}, objects are kept in memory, everybody may do everything; try
  curl ${listener.url}/apis/example.com/v1/namespaces/default/greetings
  kubectl --server ${listener.url} explain greeting.spec
  kubectl --server ${listener.url} get greetings --all-namespaces`);
