// A process that serves fixed bytes by node:https and nothing else, the maximum of a Node server; forked by
// benches:
// bare-server.ts CERTIFICATE KEY, the responses as its first message. Sends its port back.
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import { join } from 'node:path';
import { message } from './caller.ts';

/** A complete response. */
export interface ReadyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In base64. */
  readonly body: string;
}

/** A running bare server. */
export interface BareServer extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

/** Starts one that responds to every request with the same bytes, with an existing certificate. */
export async function startBareServer(
  { certificate, key }: { readonly certificate: string; readonly key: string },
  answer: ReadyAnswer,
): Promise<BareServer> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'bare-server.ts'), [certificate, key], {
    execArgv: process.execArgv,
  });
  child.send(answer);
  const port = await message<number>(child);
  return {
    port,
    pid: child.pid as number,
    async [Symbol.asyncDispose]() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await exited;
    },
  };
}

/** Sends one request to a server on this machine, a POST if there is a body, and returns its complete response. */
export function readyAnswerOf(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<ReadyAnswer> {
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    request({ port, path, method, headers, rejectUnauthorized: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const own = Object.entries(response.headers).filter(([name]) => !CONNECTION_HEADERS.has(name));
        const body = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: {
            ...(Object.fromEntries(own) as Record<string, string>),
            'content-length': String(body.length),
          },
          body: body.toString('base64'),
        });
      });
    })
      .on('error', reject)
      .end(body);
  });
}

/** Headers that Node's server adds. */
const CONNECTION_HEADERS = new Set([
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
]);

function serve([certificate = '', key = '']: readonly string[]): void {
  process.once('message', ({ status, headers, body }: ReadyAnswer) => {
    const bytes = Buffer.from(body, 'base64');
    const server = createServer(
      { cert: readFileSync(certificate), key: readFileSync(key) },
      (_, response) => {
        response.writeHead(status, headers).end(bytes);
      },
    );
    server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port));
  });
}

if (process.argv[1]?.endsWith('bare-server.ts')) serve(process.argv.slice(2));
