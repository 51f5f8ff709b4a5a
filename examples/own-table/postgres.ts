// A table in PostgreSQL as resources: `DATABASE=postgres://localhost/shop npx tsx examples/own-table/postgres.ts`
import { defineResource } from '@ashlar/apis';
import { kubernetesVocabulary } from '@ashlar/core';
import { listen, nodeClock } from '@ashlar/http-node';
import { createApiServer, createTableStorage } from '@ashlar/server';
import { openPostgresTable } from '@ashlar/storage-postgres';
import { z } from 'zod';

await using table = await openPostgresTable({
  connectionString: process.env.DATABASE ?? 'postgres://localhost/postgres',
  table: 'public.books',
  name: 'isbn',
  clock: nodeClock,
});
const books = defineResource({
  group: 'library.example.com',
  version: 'v1',
  kind: 'Book',
  scope: 'Cluster',
  spec: z.object({ title: z.string().min(1), pages: z.int().min(1).default(1) }),
  columns: [
    { name: 'Title', cell: ({ spec }) => spec.title },
    { name: 'Pages', type: 'integer', cell: ({ spec }) => spec.pages },
  ],
  storage: await createTableStorage(table),
});
await using server = createApiServer({ vocabulary: kubernetesVocabulary, resources: [books] });
await server.ready;
const listener = await listen(server.handler, { port: Number(process.env.PORT ?? 0) });

console.log(`serving ${listener.url}, try
  kubectl --server ${listener.url} get books --watch`);
await new Promise((resolve) => process.once('SIGTERM', resolve).once('SIGINT', resolve));
await listener.close({ graceMilliseconds: 1000 });
