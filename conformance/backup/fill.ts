import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { type Caller, forEachOf } from './caller.ts';
import { type Collection, collectionsOf, listPath, pathIn } from './collections.ts';
import { createDefinitions, customTypes } from './custom-types.ts';
import { repeatRecordedWrites } from './recorded-writes.ts';

/** What is created last: some would refuse or change other writes. */
const LAST = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
]);
/** What is not copied: each copy would add types, groups or namespaces. */
const NOT_COPIED = new Set(['customresourcedefinitions', 'apiservices', 'namespaces']);
const OF_EACH_LAST = 20;
const NAMESPACES = ['default', 'blue', 'green', 'red'] as const;

/** Objects and kinds that a server has. */
export interface Filled {
  readonly objects: number;
  readonly kinds: number;
}

/**
 * Fills a server: with recorded objects in all their states, with custom types and their objects, and with copies of both until it has
 * about as many objects as are wanted, evenly spread over the kinds.
 * @param folder of the recorded exchanges
 */
export async function fill(caller: Caller, folder: string, wanted: number): Promise<void> {
  await repeatRecordedWrites(caller, folder, 'harmless');
  await createCustomObjects(caller);
  for (const name of NAMESPACES)
    await caller.ask('/api/v1/namespaces', { method: 'POST', body: { metadata: { name } } });
  await copyAll(caller, wanted - (await countObjects(caller)).objects, ({ plural }) => !LAST.has(plural));
  // copies of some types are refused
  await copyAll(
    caller,
    wanted - (await countObjects(caller)).objects,
    ({ plural }) => plural === 'configmaps',
  );
  await repeatRecordedWrites(caller, folder, 'intercepting');
  await copyAll(caller, LAST.size * OF_EACH_LAST, ({ plural }) => LAST.has(plural));
}

/** Copies objects of some types, evenly. */
async function copyAll(
  caller: Caller,
  wanted: number,
  isCopied: (type: Collection) => boolean,
): Promise<void> {
  const types = storedTypes(await collectionsOf(caller));
  const copied = types.filter((type) => !NOT_COPIED.has(type.plural) && isCopied(type));
  let missing = wanted;
  for (const [index, type] of copied.entries()) {
    const share = Math.ceil(missing / (copied.length - index));
    missing -= await copyObjects(caller, type, share);
  }
}

/** Counts what is stored: objects of several versions once. */
export async function countObjects(caller: Caller): Promise<Filled> {
  const filled = { objects: 0, kinds: 0 };
  for (const type of storedTypes(await collectionsOf(caller))) {
    const { items } = await caller.read<Listed>(listPath(type));
    filled.objects += items.length;
    if (items.length > 0) filled.kinds++;
  }
  return filled;
}

async function createCustomObjects(caller: Caller): Promise<void> {
  const collections = await createDefinitions(caller);
  for (const { objects } of customTypes)
    for (const object of objects) {
      const type = collections.find(
        ({ kind, apiVersion }) => kind === object.kind && apiVersion === object.apiVersion,
      );
      if (!type) throw new Error(`${object.kind} is not served`);
      await caller.ask(pathIn(type, 'default'), { method: 'POST', body: object });
    }
}

/** One collection for each stored type. */
function storedTypes(collections: readonly Collection[]): Collection[] {
  const types = new Map<string, Collection>();
  for (const type of collections) {
    const group = type.root.split('/')[2];
    // events are in two groups
    const key = type.kind === 'Event' ? 'events' : `${group}/${type.plural}`;
    if (type.creatable && !types.has(key)) types.set(key, type);
  }
  return [...types.values()];
}

interface Listed {
  readonly items: readonly JsonObject[];
}

/** Creates copies of the objects of a type and returns how many. A type whose objects are all refused gets none. */
async function copyObjects(caller: Caller, type: Collection, wanted: number): Promise<number> {
  const { items } = await caller.read<Listed>(listPath(type));
  const { apiVersion, kind } = type;
  let created = 0;
  let refused = 0;
  const numbers = function* (): Generator<number> {
    for (let number = 0; created < wanted && refused <= items.length + created; number++) yield number;
  };
  if (items.length === 0) return 0;
  await forEachOf(numbers(), async (number) => {
    const namespace = NAMESPACES[number % NAMESPACES.length] as string;
    const name = `copy-${number}`;
    const copy = copyOf(items[number % items.length] as JsonObject, name);
    const body = { ...copy, apiVersion, kind };
    const { status } = await caller.ask(pathIn(type, namespace), { method: 'POST', body });
    if (status !== 201) {
      refused++;
      return;
    }
    created++;
    await copyStatus(caller, `${pathIn(type, namespace, name)}/status`, copy);
  });
  return created;
}

/** A created object has no status yet; kinds without one refuse this. */
async function copyStatus(caller: Caller, path: string, { status }: JsonObject): Promise<void> {
  if (!isJsonObject(status) || Object.keys(status).length === 0) return;
  const contentType = 'application/merge-patch+json';
  await caller.ask(path, { method: 'PATCH', body: { status }, contentType });
}

/** The object under another name, without what belongs to one object only. */
function copyOf(object: JsonObject, name: string): JsonObject {
  const { labels, annotations } = (object.metadata ?? {}) as JsonObject;
  const metadata = { name, ...(labels && { labels }), ...(annotations && { annotations }) } as JsonObject;
  return { ...withoutAddresses(object), metadata };
}

/** Services without the addresses and ports that only one of them can have. */
function withoutAddresses(object: JsonObject): JsonObject {
  const { spec } = object;
  if (!isJsonObject(spec) || spec.clusterIPs === undefined) return object;
  const { clusterIPs: _, ports, healthCheckNodePort: __, ...rest } = spec;
  const plain = (port: JsonValue): JsonValue => ({ ...(port as JsonObject), nodePort: 0 });
  return {
    ...object,
    spec: {
      ...rest,
      clusterIP: 'None',
      type: 'ClusterIP',
      ports: Array.isArray(ports) ? ports.map(plain) : [],
    },
  };
}
