// A server and a controller in one process: `npx tsx examples/controller-test/main.ts`
import { kubernetesVocabulary } from '@ashlar/core';
import { listen, nodeAmbient } from '@ashlar/http-node';
import { createApiServer } from '@ashlar/server';
import { createPageController } from './page-controller.ts';
import { pages } from './pages.ts';

const ambient = nodeAmbient(kubernetesVocabulary);
const server = createApiServer({ vocabulary: kubernetesVocabulary, ambient, resources: [pages] });
await server.ready;
createPageController({ client: server.client, ambient, onError: console.error });
const listener = await listen(server.handler, { port: Number(process.env.PORT ?? 0) });

console.log(`serving ${listener.url}, try
  echo '{"apiVersion":"example.com/v1","kind":"Page","metadata":{"name":"hello"},"spec":{"title":"Hello"}}' |
    kubectl --server ${listener.url} create -f -
  kubectl --server ${listener.url} get page,configmap`);
