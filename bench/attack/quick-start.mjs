// The first server of the README: no access control, plain HTTP on the loopback address.
import { kubernetesVocabulary } from '@ashlar/core';
import { listen } from '@ashlar/http-node';
import { createApiServer } from '@ashlar/server';

const server = createApiServer({ vocabulary: kubernetesVocabulary });
await server.ready;
const { url } = await listen(server.handler);
console.log(`serving ${url}`);
