import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { memberStatus } from '../messages/cluster-messages.ts';
import { FrameReader, toFrame } from '../messages/message-frames.ts';

/** How a method responds: with a message, with a status, or by manipulating the stream. */
export type FakeResponse =
  | { readonly message: Uint8Array }
  | { readonly code: number; readonly text: string }
  | { readonly act: (stream: ServerHttp2Stream) => void };

/** A server with just enough gRPC to misbehave. */
export interface FakeEtcd extends AsyncDisposable {
  readonly url: string;
  /** Called paths, in order. */
  readonly calls: string[];
}

/** A healthy member. */
const healthy: Uint8Array = memberStatus.encode({
  header: { clusterId: 1n, revision: 5 },
  version: '3.5.16',
  leader: 1n,
});

/** Listens; `answer` is called for every call but those for the status, unless it answers those, too. */
export async function startFakeEtcd(
  response: (path: string, call: number) => FakeResponse | undefined,
): Promise<FakeEtcd> {
  const calls: string[] = [];
  const sessions = new Set<ServerHttp2Session>();
  const server: Http2Server = createServer();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => {}).on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    const path = String(headers[':path']).split('/').at(-1) as string;
    calls.push(path);
    const what = response(path, calls.filter((other) => other === path).length);
    stream.on('error', () => {});
    const reply = new FrameReader(1 << 20, () => {
      respond(stream, what ?? { message: path === 'Status' ? healthy : new Uint8Array() });
    });
    stream.on('data', (chunk: Buffer) => reply.push(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function respond(stream: ServerHttp2Stream, response: FakeResponse): void {
  if ('act' in response) {
    response.act(stream);
    return;
  }
  const status = 'code' in response ? response : { code: 0, text: '' };
  const trailers = { 'grpc-status': String(status.code), 'grpc-message': encodeURIComponent(status.text) };
  const headers = { ':status': 200, 'content-type': 'application/grpc' };
  if ('code' in response) {
    stream.respond({ ...headers, ...trailers }, { endStream: true });
    return;
  }
  stream.respond(headers, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.end(toFrame(response.message));
}
