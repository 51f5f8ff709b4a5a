// The host's existing data as resources: `npx tsx examples/own-data/main.ts`
import { kubernetesVocabulary } from '@ashlar/core';
import { listen } from '@ashlar/http-node';
import { createApiServer } from '@ashlar/server';
import { type Book, defineBooks } from './books.ts';

const shelf: Book[] = [
  { isbn: '978-0-262-51087-5', title: 'Structure and Interpretation of Computer Programs', pages: 657 },
  { isbn: '978-0-201-89683-1', title: 'The Art of Computer Programming, Volume 1', pages: 672 },
];

const server = createApiServer({ vocabulary: kubernetesVocabulary, resources: [defineBooks(shelf)] });
await server.ready;
const listener = await listen(server.handler, { port: Number(process.env.PORT ?? 0) });

console.log(`serving ${listener.url}, try
  kubectl --server ${listener.url} get books
  kubectl --server ${listener.url} delete book ${shelf[0]?.isbn}`);
