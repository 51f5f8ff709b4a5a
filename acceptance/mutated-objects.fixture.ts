import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '@ashlar/core';
import fc from 'fast-check';

// Objects of built-in kinds as a client would send them that wants a server to fail.

const CONFORMANCE = join(import.meta.dirname, '../conformance');

/** Objects of the recorded exchanges that were sent to be created, and complete ones, by their version and kind. */
export function recordedObjects(): ReadonlyMap<string, readonly JsonObject[]> {
  const found = new Map<string, JsonObject[]>();
  const add = (object: JsonObject): void => {
    const { apiVersion, kind } = object;
    const name = `${String(apiVersion)}/${String(kind)}`;
    found.set(name, [...(found.get(name) ?? []), object]);
  };
  for (const value of jsonIn('trace/fixtures')) createdIn(value).forEach(add);
  for (const value of jsonIn('objects')) add(value as JsonObject);
  return found;
}

function jsonIn(folder: string): readonly unknown[] {
  const path = join(CONFORMANCE, folder);
  const files = readdirSync(path).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => JSON.parse(readFileSync(join(path, file), 'utf8')));
}

/** The bodies of creations in recorded exchanges. */
function createdIn(value: unknown): readonly JsonObject[] {
  if (typeof value !== 'object' || value === null) return [];
  const { request } = value as { request?: { method?: string; body?: JsonObject } };
  const own = request?.method === 'POST' && request.body?.kind ? [request.body] : [];
  return [...own, ...Object.values(value).flatMap(createdIn)];
}

const nested = (open: string, close: string, depth: number): string =>
  `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Texts that some rule reads as something: a number, an address, a name, a pattern, JSON. */
const TEXTS: readonly string[] = [
  ...[
    '',
    ' ',
    'a',
    'A_b',
    '\ud800',
    '\u0000',
    'ä',
    '🙂',
    'a'.repeat(5000),
    '..',
    '/',
    '%2F',
    'a/b/c',
    'example.com/x',
  ],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then'],
  ...[
    '0',
    '-1',
    '1e400',
    '9223372036854775808',
    '1'.repeat(300),
    '100m',
    '-5Gi',
    '0.0000000001',
    '50%',
    '1000%',
  ],
  ...['10.0.0.1', '::ffff:1.2.3.4', 'fe80::1%eth0', '1.2.3.4/33', '::/129', '*'],
  ...['2024-01-01T00:00:00Z', '2024-13-01T00:00:00Z', '5m', '999999999999h', 'true', 'null', '{}', '[]'],
  ...['[{"a":1}]', '{"kind":5}', nested('[', ']', 20_000), nested('{"a":', '}', 9_000)],
  ...[
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    'object.spec.x == 1',
    '(((((',
    '[a-z',
    'x in (a,b)',
    '!x',
  ],
];

/** Annotations that a kind, a plugin or a controller reads. */
const ANNOTATIONS: readonly string[] = [
  ...['metrics', 'behavior', 'conditions', 'current-metrics'].map(
    (name) => `autoscaling.alpha.kubernetes.io/${name}`,
  ),
  ...['defaultTolerations', 'tolerationsWhitelist', 'node-selector'].map(
    (name) => `scheduler.alpha.kubernetes.io/${name}`,
  ),
  'deprecated.daemonset.template.generation',
  'kubectl.kubernetes.io/last-applied-configuration',
  'container.apparmor.security.beta.kubernetes.io/c',
  'container.seccomp.security.alpha.kubernetes.io/c',
  'seccomp.security.alpha.kubernetes.io/pod',
  'volume.beta.kubernetes.io/storage-class',
  'controller.kubernetes.io/pod-deletion-cost',
  'kubernetes.io/service-account.name',
  'kubernetes.io/config.mirror',
  'service.kubernetes.io/topology-mode',
  'storageclass.kubernetes.io/is-default-class',
  'api-approved.kubernetes.io',
  'rbac.authorization.kubernetes.io/autoupdate',
];

const value: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...TEXTS) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(0, -0, -1, 1.5, 65_536, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e19, -1e19, 1e308),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<JsonValue>(null, true, {}, [], [null], [[]], [{}], { a: 1 }),
  },
);

/** A change of an object: at the place of a number, counted in the order of its members. */
interface Mutation {
  readonly how: 'replace' | 'remove' | 'repeat' | 'add' | 'annotate' | 'move';
  readonly place: number;
  readonly value: JsonValue;
  readonly text: string;
  readonly annotation: string;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'repeat', 'add', 'annotate', 'move'),
  place: fc.nat(10_000),
  value,
  text: fc.constantFrom(...TEXTS),
  annotation: fc.constantFrom(...ANNOTATIONS),
});

/** Up to four changes. */
export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(mutation, { maxLength: 4 });

type Container = Record<string, JsonValue>;

/** Returns a changed copy. */
export function mutated(object: JsonObject, changes: readonly Mutation[]): JsonObject {
  const copy = structuredClone(object) as Container;
  for (const change of changes) applyMutation(copy, change);
  return copy;
}

function applyMutation(object: Container, { how, place, value: given, text, annotation }: Mutation): void {
  // what is generated is shared by all runs
  const value = structuredClone(given);
  const places = placesIn(object);
  const [container, key] = places[place % Math.max(1, places.length)] ?? [object, 'x'];
  const member = container[key];
  if (how === 'annotate') annotate(object, annotation, text);
  else if (how === 'remove') delete container[key];
  else if (how === 'repeat' && Array.isArray(member)) member.push(structuredClone(member[0] ?? value));
  else if (how === 'add' && isObject(member))
    Object.defineProperty(member, text, { value, enumerable: true, configurable: true, writable: true });
  else if (how === 'move') container[key] = structuredClone(places[place >> 3]?.[0] ?? value) as JsonValue;
  else container[key] = typeof member === 'string' ? text : value;
}

function annotate(object: Container, name: string, text: string): void {
  const { metadata } = object;
  if (isObject(metadata))
    metadata.annotations = { ...(isObject(metadata.annotations) && metadata.annotations), [name]: text };
}

const isObject = (value: JsonValue | undefined): value is Container =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** All members of an object, at every depth. */
function placesIn(root: Container): readonly (readonly [Container, string])[] {
  const places: (readonly [Container, string])[] = [];
  const pending: Container[] = [root];
  for (let at = pending.pop(); at; at = pending.pop()) {
    for (const key of Object.keys(at)) {
      places.push([at, key]);
      const member = at[key];
      if (typeof member === 'object' && member !== null) pending.push(member as Container);
    }
  }
  return places;
}
