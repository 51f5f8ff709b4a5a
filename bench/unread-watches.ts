// npx tsx --conditions=@ashlar/source bench/unread-watches.ts: what readers cost that request a collection
// and read nothing.
import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { kubernetesVocabulary } from '@ashlar/core';
import { listen } from '@ashlar/http-node';
import { createApiServer } from '@ashlar/server';
import { residentMegabytes } from './server-process.ts';

const OBJECTS = 36;
const OBJECT_BYTES = 1_000_000;
const READERS = 40;
const PATH = '/api/v1/namespaces/default/configmaps';
const QUERIES = {
  watch: `${PATH}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
  list: `${PATH}?resourceVersion=0`,
};
const FORMS = ['application/json', kubernetesVocabulary.protobufMediaType];

const { values } = parseArgs({ options: { serve: { type: 'boolean', default: false } } });
if (values.serve) await serve();
else await measure();

/** A server with a collection of 36 MB; reports its port. */
async function serve(): Promise<void> {
  const server = createApiServer({ vocabulary: kubernetesVocabulary });
  await server.ready;
  const data = { text: 'x'.repeat(OBJECT_BYTES) };
  for (let i = 0; i < OBJECTS; i++) {
    const body = JSON.stringify({ metadata: { name: `large-${i}` }, data });
    const headers = { 'content-type': 'application/json' };
    const { status } = await server.fetch(
      new Request(`http://server${PATH}`, { method: 'POST', headers, body }),
    );
    if (status !== 201) throw new Error(`POST: ${status}`);
  }
  const { url } = await listen(server.handler, { port: 0 });
  const collect = (globalThis as { gc?: () => void }).gc;
  if (!collect) throw new Error('run with --expose-gc');
  for (let i = 0; i < 4; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  console.log(new URL(url).port);
}

async function measure(): Promise<void> {
  for (const [name, path] of Object.entries(QUERIES)) {
    for (const form of FORMS) {
      const child = spawn(
        process.execPath,
        ['--expose-gc', ...process.execArgv, process.argv[1] as string, '--serve'],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      try {
        const port = Number(await new Promise((resolve) => child.stdout.once('data', resolve)));
        const pids = [child.pid as number];
        const before = residentMegabytes(pids);
        const sockets = await Promise.all(Array.from({ length: READERS }, () => unread(port, path, form)));
        await settled(pids);
        const after = residentMegabytes(pids);
        for (const socket of sockets) socket.destroy();
        console.log(
          `${READERS} unread ${name.padEnd(5)} ${form.padEnd(36)} resident ${before.toFixed(0)} MB, then ${after.toFixed(0)} MB`,
        );
      } finally {
        child.kill();
      }
    }
  }
}

/** Sends a request, and reads nothing of the response. */
async function unread(port: number, path: string, accept: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: ${accept}\r\n\r\n`);
  const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  socket.pause();
  if (!first.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(first.toString('latin1'));
  return socket;
}

/** Waits until memory stops growing. */
async function settled(pids: readonly number[]): Promise<void> {
  for (let last = -1, now = 0; now > last + 2; ) {
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    now = residentMegabytes(pids);
  }
}
