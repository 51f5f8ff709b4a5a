// A table of the host as resources: `npx tsx examples/own-table/main.ts`
import { kubernetesVocabulary } from '@ashlar/core';
import { listen } from '@ashlar/http-node';
import { createApiServer } from '@ashlar/server';
import Database from 'libsql';
import { defineBooks } from './books.ts';

const database = new Database(':memory:');
database.exec('CREATE TABLE books (isbn TEXT PRIMARY KEY, title TEXT, pages INTEGER, meta TEXT)');
database.exec("INSERT INTO books VALUES ('978-0-262-51087-5', 'Structure and Interpretation', 657, NULL)");

const server = createApiServer({
  vocabulary: kubernetesVocabulary,
  resources: [await defineBooks(database)],
});
await server.ready;
const listener = await listen(server.handler, { port: Number(process.env.PORT ?? 0) });

console.log(`serving ${listener.url}, try
  kubectl --server ${listener.url} get books
  kubectl --server ${listener.url} label book 978-0-262-51087-5 shelf=a
  kubectl --server ${listener.url} delete book 978-0-262-51087-5`);
