import type { Socket } from 'node:net';
import type { Attack, Target } from '../../attack.ts';
import { awakeNow } from '../../awake-time.ts';
import { type Deed, faultsBeside, pause } from '../../beside.ts';
import { DEFINITIONS, definitionOf, listed } from '../../bodies.ts';
import { isServed } from '../../custom-types.ts';
import { openWatches } from '../../open-watches.ts';
import { exchange, openSocket, requestBytes } from '../../raw-request.ts';
import { createMany } from '../../repeated.ts';

const PATH = '/apis/attack.example.com/v1/namespaces/tenant/selecteds';
/** As many as a version may have. */
const FIELDS = 8;
const WATCHES = 300;
const MILLISECONDS = 4_000;
const WRITE_MILLISECONDS = 100;
const GROWN_MEGABYTES = 256;

const names = Array.from({ length: FIELDS }, (_, i) => `f${i}`);

/** Defines a kind whose fields select, and waits until it is served. */
async function define(target: Target): Promise<void> {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const spec = { type: 'object', properties, 'x-kubernetes-preserve-unknown-fields': true };
  const definition = definitionOf('selecteds', spec) as { spec: { versions: readonly object[] } };
  const selectableFields = names.map((name) => ({ jsonPath: `.spec.${name}` }));
  const versions = definition.spec.versions.map((version) => ({ ...version, selectableFields }));
  await createMany(target, DEFINITIONS, [{ ...definition, spec: { ...definition.spec, versions } }]);
  await isServed(target, PATH);
}

/** Writes objects at a steady rate, each with many values. */
async function write(target: Target, items: number): Promise<readonly string[]> {
  const socket = await openSocket(target.port);
  const headers = [target.credentials('tenant'), 'Content-Type: application/json'];
  const statuses = new Set<number>();
  const end = awakeNow() + MILLISECONDS;
  for (let i = 0; awakeNow() < end; i++) {
    const spec = {
      ...Object.fromEntries(names.map((name) => [name, `v${i % 10}`])),
      items: Array.from({ length: items }, (_, j) => ({ a: j })),
    };
    const head = { apiVersion: 'attack.example.com/v1', kind: 'Selecteds', metadata: { generateName: 'a-' } };
    const body = JSON.stringify({ ...head, spec });
    statuses.add(
      (await exchange(socket, requestBytes({ method: 'POST', path: PATH, headers, body }))).status,
    );
    await pause(WRITE_MILLISECONDS);
  }
  socket.destroy();
  return [...statuses].every((status) => status === 201)
    ? []
    : [`writes were answered ${[...statuses].join(', ')}`];
}

/** Watches by the fields of a kind, and objects of it that are written meanwhile. */
const watched = (name: string, sends: string, items: number, query: (i: number) => string): Attack => ({
  ...{ name, sends },
  async run(target) {
    await define(target);
    await write(target, items);
    let sockets: readonly Socket[] = [];
    const opening = async (): Promise<readonly string[]> => {
      sockets = await openWatches(
        target,
        WATCHES,
        (i) => `${PATH}?watch=1&timeoutSeconds=60&fieldSelector=${query(i)}`,
      );
      return [];
    };
    const deeds: readonly Deed[] = [
      { name: 'opening', grownMegabytes: GROWN_MEGABYTES, run: opening },
      { name: 'writes', grownMegabytes: GROWN_MEGABYTES, run: () => write(target, items) },
    ];
    try {
      return await faultsBeside(target, deeds);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  },
});

const terms = (operator: string, value: (i: number) => string): string =>
  listed(FIELDS, (i) => `spec.f${i}${operator}${value(i)}`, '%2C');

export const attacks: readonly Attack[] = [
  watched('equal fields', 'watches that select all fields of small objects', 10, (i) =>
    terms('%3D', () => `v${i % 10}`),
  ),
  watched('unequal fields', 'watches that exclude values of all fields of small objects', 10, (i) =>
    terms('!%3D', (j) => `w${i}-${j}`),
  ),
  watched('fields of large objects', 'watches that select no field of large objects', 10_000, (i) =>
    terms('%3D', (j) => `w${i}-${j}`),
  ),
  watched('hundreds of terms', 'watches that exclude hundreds of values of each field', 10, (i) =>
    listed(500, (j) => `spec.f${j % FIELDS}!%3Dw${i}-${j}`, '%2C'),
  ),
];
