import type { Attack, Scenario, Target } from '../attack.ts';
import { awakeNow } from '../awake-time.ts';
import { faultsBeside } from '../beside.ts';
import { DEFINITIONS, definitionOf } from '../bodies.ts';
import { exchange, openSocket, requestBytes } from '../raw-request.ts';
import { forEach } from '../repeated.ts';

const TYPES = 2_000;
const CONNECTIONS = 20;
const MILLISECONDS = 8_000;
/** Three times the documents of one version, and what a heap grows by before it is collected. */
const GROWN_MEGABYTES = 320;

const PROTOBUF_V2 = 'Accept: application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const PROTOBUF_V3 = 'Accept: application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
const AGGREGATED = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** A document that describes types: a path, and the header lines of its reader. */
type Read = readonly [path: string, ...headers: readonly string[]];

const schema = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [`p${i}`, { type: 'string', description: 'A text of the type.' }]),
  ),
};

/** The definition of a type, in the group of all or in one of its own. */
function definitionAt(i: number, ownGroup: boolean, text = ''): object {
  const definition = definitionOf(`types${i}`, { ...schema, description: text }) as {
    metadata: { name: string };
    spec: { group: string };
  };
  if (!ownGroup) return definition;
  const group = `g${i}.example.com`;
  return { ...definition, metadata: { name: `types${i}.${group}` }, spec: { ...definition.spec, group } };
}

async function post(target: Target, definition: object): Promise<void> {
  const headers = [target.credentials('operator'), 'Content-Type: application/json'];
  const { status, body } = await target.send({
    method: 'POST',
    path: DEFINITIONS,
    headers,
    body: JSON.stringify(definition),
  });
  if (status !== 201) throw new Error(`a definition was answered ${status}: ${body.slice(0, 500)}`);
}

/** Reads one document after the other on one connection, until an end. @returns the statuses */
async function readRepeatedly(
  target: Target,
  reads: readonly Read[],
  first: number,
  end: number,
): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>();
  const requests = reads.map(([path, ...headers]) =>
    requestBytes({ path, headers: [target.credentials('user'), ...headers] }),
  );
  const socket = await openSocket(target.port);
  for (let i = first; awakeNow() < end && !socket.destroyed; i++) {
    const bytes = requests[i % requests.length] as Buffer;
    // what is not there at the end is not waited for
    const { status } = await exchange(socket, bytes, end - awakeNow());
    if (status !== 0 || awakeNow() < end) statuses.add(status);
  }
  socket.destroy();
  return statuses;
}

/** Types that were added while others were read: no two have one name. */
let added = 0;

/** Changes the descriptions of types one after the other, and adds one now and then, until an end. */
async function changeRepeatedly(target: Target, ownGroup: boolean, end: number): Promise<void> {
  const headers = [target.credentials('operator'), 'Content-Type: application/merge-patch+json'];
  for (let round = 0; awakeNow() < end; round++) {
    if (round % 10 === 0 && round < 100) await post(target, definitionAt(TYPES + added++, ownGroup));
    const { metadata, spec } = definitionAt(round % TYPES, ownGroup, `round ${round}`) as {
      metadata: { name: string };
      spec: object;
    };
    const path = `${DEFINITIONS}/${metadata.name}`;
    await target.send({ method: 'PATCH', path, headers, body: JSON.stringify({ spec }) });
  }
}

/** What many connections read at once, as it is or while types change. */
interface Crowd {
  readonly name: string;
  readonly reads: readonly Read[];
  readonly changing?: boolean;
}

/** Documents of very many types, read by many connections. */
function documents(name: string, sends: string, ownGroups: boolean, crowds: readonly Crowd[]): Scenario {
  return {
    name,
    sends,
    async run(target) {
      await forEach(TYPES, (i) => post(target, definitionAt(i, ownGroups)));
      const deeds = crowds.map((crowd) => ({
        name: crowd.name,
        grownMegabytes: GROWN_MEGABYTES,
        run: () => runCrowd(target, ownGroups, crowd),
      }));
      return faultsBeside(target, deeds);
    },
  };
}

async function runCrowd(
  target: Target,
  ownGroups: boolean,
  { reads, changing }: Crowd,
): Promise<readonly string[]> {
  const statuses = new Set<number>();
  const end = awakeNow() + MILLISECONDS;
  const changes = changing && changeRepeatedly(target, ownGroups, end);
  const readers = Array.from({ length: CONNECTIONS }, async (_, i) => {
    for (const status of await readRepeatedly(target, reads, i, end)) statuses.add(status);
  });
  await Promise.all([changes, ...readers]);
  return [...statuses].every((status) => status === 200 || status === 429)
    ? []
    : [`answered ${[...statuses].join(', ')}`];
}

const GROUP = 'apis/attack.example.com/v1';
const V2: readonly Read[] = [
  ['/openapi/v2'],
  ['/openapi/v2', PROTOBUF_V2],
  ['/openapi/v2', 'Accept-Encoding: gzip'],
];
const V3: readonly Read[] = [
  ['/openapi/v3'],
  [`/openapi/v3/${GROUP}`],
  [`/openapi/v3/${GROUP}`, PROTOBUF_V3],
  [`/openapi/v3/${GROUP}`, 'Accept-Encoding: gzip'],
];
const DISCOVERY: readonly Read[] = [
  ['/apis'],
  ['/apis', `Accept: application/json;${AGGREGATED}`],
  ['/apis', `Accept: application/vnd.kubernetes.protobuf;${AGGREGATED}`],
  [`/${GROUP}`],
  [`/${GROUP}`, 'Accept: application/yaml'],
  [`/${GROUP}`, 'Accept: application/vnd.kubernetes.protobuf'],
];
const GROUPS: readonly Read[] = [
  ['/apis'],
  ['/apis?pretty=1'],
  ['/apis', 'Accept: application/yaml'],
  ['/apis', `Accept: application/json;${AGGREGATED}`],
  ['/openapi/v3'],
];

export const attacks: readonly Attack[] = [
  documents('of one group', `documents of ${TYPES} custom types, also while they are changed`, false, [
    { name: 'discovery', reads: DISCOVERY },
    { name: 'OpenAPI v3', reads: V3 },
    { name: 'OpenAPI v2', reads: V2 },
    { name: 'changing discovery', reads: DISCOVERY, changing: true },
    { name: 'changing OpenAPI v3', reads: V3, changing: true },
    { name: 'changing OpenAPI v2', reads: V2, changing: true },
  ]),
  documents('of groups', `documents of ${TYPES} groups, also while they are changed`, true, [
    { name: 'groups', reads: GROUPS },
    { name: 'changing groups', reads: GROUPS, changing: true },
  ]),
];
