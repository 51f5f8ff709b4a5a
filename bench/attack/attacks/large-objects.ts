import type { Socket } from 'node:net';
import type { Attack, Target } from '../attack.ts';
import { faultsBeside } from '../beside.ts';
import { DEFINITIONS, definitionOf } from '../bodies.ts';
import { type HostileRequest, openSocket, requestBytes } from '../raw-request.ts';

const NAME = 'large';
const VALUES = 240_000;
const CHANGES = 3;
const WATCHES = 20;
const GROWN_MEGABYTES = 256;
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const LISTS = [PROTOBUF, 'application/cbor', 'application/yaml'];
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const STREAMS = [`${PROTOBUF};stream=watch`, 'application/cbor', TABLE];

/** Sends a request as the operator. @throws Error if it is refused */
async function send(target: Target, request: HostileRequest, type: string): Promise<string> {
  const headers = [target.credentials('operator'), ...(request.headers ?? []), `Content-Type: ${type}`];
  const { status, body } = await target.send({ ...request, headers });
  if (status >= 300 && status !== 409) throw new Error(`${request.path}: ${status} ${body.slice(0, 300)}`);
  return body;
}

/** Stores a definition of 1.6 MB, and waits for nothing else. */
async function store(target: Target): Promise<void> {
  const values = Array.from({ length: VALUES }, (_, i) => i);
  const body = JSON.stringify(definitionOf(NAME, { type: 'integer', enum: values }));
  await send(target, { method: 'POST', path: DEFINITIONS, body }, 'application/json');
}

/** Changes it, so that nothing that is cached helps. */
async function change(target: Target, i: number): Promise<void> {
  const path = `${DEFINITIONS}/${NAME}.attack.example.com`;
  const body = JSON.stringify({ metadata: { annotations: { change: String(i) } } });
  await send(target, { method: 'PATCH', path, body }, 'application/merge-patch+json');
}

/** Opens watches that send the definition, and then its changes. */
async function watch(target: Target): Promise<readonly Socket[]> {
  const opened = Array.from({ length: WATCHES }, async (_, i) => {
    const socket = await openSocket(target.port);
    const headers = [target.credentials('operator'), `Accept: ${STREAMS[i % STREAMS.length]}`];
    const path = `${DEFINITIONS}?watch=1&timeoutSeconds=60&includeObject=Object`;
    socket.write(requestBytes({ path, headers }));
    return socket.resume();
  });
  return Promise.all(opened);
}

/** An object of as many values as fit, in answers that hold more than it. */
export const attacks: readonly Attack[] = [
  {
    name: 'listed and watched',
    sends:
      'changes of a definition of many values, which is listed and watched in Protobuf, CBOR, YAML and as tables',
    async run(target) {
      await store(target);
      let sockets: readonly Socket[] = [];
      const lists = async (): Promise<readonly string[]> => {
        for (const [i, type] of LISTS.entries()) {
          await change(target, i);
          await send(target, { path: DEFINITIONS, headers: [`Accept: ${type}`] }, 'application/json');
        }
        return [];
      };
      const watches = async (): Promise<readonly string[]> => {
        sockets = await watch(target);
        for (let i = 0; i < CHANGES; i++) await change(target, LISTS.length + i);
        return sockets.some(({ destroyed }) => destroyed) ? ['a watch has been closed'] : [];
      };
      try {
        return await faultsBeside(target, [
          { name: 'lists', grownMegabytes: GROWN_MEGABYTES, run: lists },
          { name: 'watches', grownMegabytes: GROWN_MEGABYTES, run: watches },
        ]);
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    },
  },
];
