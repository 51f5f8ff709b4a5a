// How long the first OpenAPI document takes: npx tsx --conditions=@ashlar/source bench/openapi.bench.ts
// Each line is a new server that has not created any OpenAPI document; the limit for the document of one
// group is 50 ms.
import { workloadResources } from '@ashlar/apis/workloads';
import { kubernetesVocabulary as vocabulary } from '@ashlar/core';
import { createApiServer } from '@ashlar/server';

const PATHS = [
  '/openapi/v3/apis/coordination.k8s.io/v1',
  '/openapi/v3/apis/apps/v1',
  '/openapi/v3/api/v1',
  '/openapi/v3',
  '/openapi/v2',
];

for (const path of PATHS) {
  await using server = createApiServer({
    vocabulary,
    resources: workloadResources(vocabulary),
    controllers: false,
  });
  await server.ready;
  const fetchLength = async (url: string): Promise<number> =>
    (await (await server.fetch(new Request(`http://server${url}`))).arrayBuffer()).byteLength;
  // the request path is warm, the documents are not
  await fetchLength('/version');
  const [started, used] = [performance.now(), process.cpuUsage()];
  const bytes = await fetchLength(path);
  const milliseconds = (performance.now() - started).toFixed(1);
  const processor = (process.cpuUsage(used).user / 1000).toFixed(1);
  console.log(`${path}: ${milliseconds} ms, ${processor} ms of processor, ${bytes} bytes`);
}
