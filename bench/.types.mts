import { attacks } from './attack/attacks/types.ts';
import { AttackedServer } from './attack/attacked-server.ts';
import { DEFINITIONS, definitionOf } from './attack/bodies.ts';
import { forEach } from './attack/repeated.ts';
const server = await AttackedServer.start('guarded');
const schema = { type: 'object', properties: Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`p${i}`, { type: 'string', description: 'A text of the type.' }])) };
await forEach(2000, async (i) => {
  const r = await server.send({ method: 'POST', path: DEFINITIONS, headers: [server.credentials('operator'), 'Content-Type: application/json'], body: JSON.stringify(definitionOf(`types${i}`, { ...schema, description: '' })) });
  if (r.status !== 201) throw new Error(r.body.slice(0, 300));
});
const get = async (path: string, ...headers: string[]) => {
  await server.measure.begin();
  const t = performance.now();
  const r = await server.send({ method: 'GET', path, headers: [server.credentials('user'), ...headers] });
  const usage = await server.measure.end();
  console.log(path, headers[0]?.slice(0, 40) ?? '', r.status, (r.body.length / 1e6).toFixed(1), 'MB', Math.round(performance.now() - t), 'ms', JSON.stringify(usage).slice(0, 300));
};
console.log(await server.measure.heapAfterCollection());
await get('/openapi/v3');
console.log(await server.measure.heapAfterCollection());
await get('/openapi/v3/apis/attack.example.com/v1', 'Accept: application/com.github.proto-openapi.spec.v3.v1.0+protobuf');
console.log(await server.measure.heapAfterCollection());
await server[Symbol.asyncDispose]();
