import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Attack, Scenario, Target } from '../attack.ts';
import { awakeNow } from '../awake-time.ts';
import { faultsBeside, pause } from '../beside.ts';
import { openSocket, requestBytes } from '../raw-request.ts';
import { createMany } from '../repeated.ts';
import { startBeside } from '../served-beside.ts';

const GROUP = 'hostile.example.com';
const VERSION = `/apis/${GROUP}/v1`;
const CONNECTIONS = 20;
const MILLISECONDS = 4_000;
const GROWN_MEGABYTES = 192;

const service = (version: string, port: number): object => ({
  metadata: { name: `${version}.${GROUP}` },
  spec: {
    ...{ group: GROUP, version, groupPriorityMinimum: 1000, versionPriority: 15 },
    ...{ insecureSkipTLSVerify: true, service: { name: 'backend', namespace: 'tenant', port } },
  },
});

async function register(target: Target, services: readonly object[]): Promise<void> {
  await createMany(target, '/api/v1/namespaces/tenant/services', [
    { metadata: { name: 'backend' }, spec: { type: 'ExternalName', externalName: 'localhost' } },
  ]);
  await createMany(target, '/apis/apiregistration.k8s.io/v1/apiservices', services);
}

/** Waits until requests reach the backend. */
async function reached(target: Target): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const headers = [target.credentials('operator')];
    const { status } = await target.send({ path: `${VERSION}/ready`, headers, patience: 1_000 });
    if (status === 200) return;
    await pause(100);
  }
  throw new Error('the backend is not reached');
}

/** Sends one request on each of many connections, and reads whatever comes for a while. */
async function readForwarded(
  target: Target,
  request: Parameters<typeof requestBytes>[0],
): Promise<readonly string[]> {
  const end = awakeNow() + MILLISECONDS;
  const bytes = requestBytes({
    ...request,
    headers: [target.credentials('operator'), ...(request.headers ?? [])],
  });
  const member = async (): Promise<void> => {
    while (awakeNow() < end) {
      const socket = await openSocket(target.port);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.resume();
      socket.write(bytes);
      await Promise.race([closed, pause(end - awakeNow())]);
      socket.destroy();
      await pause(10);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, member));
  return [];
}

type Respond = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Requests that are forwarded to a backend which responds as it likes. */
function forwarded(
  name: string,
  sends: string,
  respond: Respond,
  request: Parameters<typeof requestBytes>[0] = { path: `${VERSION}/hostile` },
): Scenario {
  return {
    ...{ name, sends },
    async run(target) {
      const server: Server = await startBeside(target, (incoming, outgoing) => {
        if (incoming.url?.startsWith(`${VERSION}/hostile`)) respond(incoming, outgoing);
        else outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
      try {
        await register(target, [service('v1', (server.address() as AddressInfo).port)]);
        await reached(target);
        const deed = {
          name: 'requests',
          grownMegabytes: GROWN_MEGABYTES,
          run: () => readForwarded(target, request),
        };
        return await faultsBeside(target, [deed]);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** Writes a piece again and again while it is read. */
function writeOn(outgoing: ServerResponse, piece: string): void {
  const next = (): void => {
    while (!outgoing.destroyed && outgoing.write(piece));
    if (!outgoing.destroyed) outgoing.once('drain', next);
  };
  next();
}

/** Backends of others, and API services without number. */
export const attacks: readonly Attack[] = [
  forwarded('bodies without end', 'responses that never end', (_, outgoing) =>
    writeOn(outgoing, 'x'.repeat(65_536)),
  ),
  forwarded('bodies of bytes', 'responses in chunks of a byte', (_, outgoing) => {
    outgoing.writeHead(200);
    writeOn(outgoing, 'x');
  }),
  forwarded('header lines', 'responses with as many header lines as are read', (_, outgoing) => {
    for (let i = 0; i < 900; i++) outgoing.setHeader(`x-${i}`, '1');
    outgoing.end('{}');
  }),
  forwarded('responses that are cut off', 'responses that end in the middle', (_, outgoing) => {
    outgoing.writeHead(200, { 'content-length': '1000000' });
    outgoing.write('x'.repeat(1_000));
    setTimeout(() => outgoing.destroy(), 5);
  }),
  forwarded('bodies that nobody reads', 'requests with 3 MB, which the backend does not read', () => {}, {
    method: 'POST',
    path: `${VERSION}/hostile`,
    headers: ['Content-Type: application/json'],
    body: 'x'.repeat(3_000_000),
  }),
  forwarded(
    'answers before the end',
    'requests with 3 MB, which the backend answers at once',
    (_, outgoing) => outgoing.writeHead(413).end(),
    {
      method: 'POST',
      path: `${VERSION}/hostile`,
      headers: ['Content-Type: application/json'],
      body: 'x'.repeat(3_000_000),
    },
  ),
  {
    name: 'API services',
    sends: 'a thousand API services whose backend is not there',
    async run(target) {
      const services = Array.from({ length: 1_000 }, (_, i) => service(`v${i + 1}`, 1));
      const deed = {
        name: 'registration',
        grownMegabytes: GROWN_MEGABYTES,
        run: async () => {
          await register(target, services);
          await pause(5_000);
          return [];
        },
      };
      return faultsBeside(target, [deed]);
    },
  },
];
