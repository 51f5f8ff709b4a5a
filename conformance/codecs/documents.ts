import { isJsonObject, type JsonValue } from '@ashlar/core';
import type { Caller } from '../backup/caller.ts';

/** A document that both servers serve. */
export interface DocumentQuestion {
  readonly path: string;
  readonly accept: string;
}

const AGGREGATED = ['v2', 'v2beta1'].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
);

/** Where release 1.32 breaks down if it is asked for CBOR. */
const BROKEN_IN_CBOR = new Set(['/api/v1']);

/**
 * All documents of discovery and OpenAPI that a server has.
 * @param withCbor asks for documents of discovery in CBOR, too, which few have
 */
export async function documentQuestions(caller: Caller, withCbor = false): Promise<DocumentQuestion[]> {
  const json = 'application/json';
  const types = [json, 'application/yaml', 'application/vnd.kubernetes.protobuf'];
  const index = await caller.read<{ paths: Readonly<Record<string, unknown>> }>('/openapi/v3');
  const { groups } = await caller.read<{ groups: { name: string; versions: { groupVersion: string }[] }[] }>(
    '/apis',
  );
  const versions = groups.flatMap(({ versions }) =>
    versions.map(({ groupVersion }) => `/apis/${groupVersion}`),
  );
  const discovery = ['/api', '/apis', '/api/v1', ...groups.map(({ name }) => `/apis/${name}`), ...versions];
  return [
    ...['/api', '/apis'].flatMap((path) => AGGREGATED.map((accept) => ({ path, accept }))),
    ...discovery.flatMap((path) => types.map((accept) => ({ path, accept }))),
    ...(withCbor ? discovery.filter((path) => !BROKEN_IN_CBOR.has(path)) : []).map((path) => ({
      path,
      accept: 'application/cbor',
    })),
    { path: '/openapi/v2', accept: json },
    { path: '/openapi/v3', accept: json },
    ...Object.keys(index.paths).map((path) => ({ path: `/openapi/v3/${path}`, accept: json })),
  ];
}

/** Members that each server words itself, or that tell its address or the hash of its words. */
const OWN = new Set(['description', 'serverAddress', 'serverRelativeURL']);

/** The paths at which two documents differ, with both values. Members may be in any order. */
export function* documentDifferences(ours: JsonValue, theirs: JsonValue, path = ''): Iterable<string> {
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    for (let i = 0; i < Math.max(ours.length, theirs.length); i++)
      yield* documentDifferences(ours[i] ?? null, theirs[i] ?? null, `${path}/${i}`);
  } else if (isJsonObject(ours) && isJsonObject(theirs)) {
    for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      const [left, right] = [ours[name], theirs[name]];
      if (OWN.has(name) && isTextOrAbsent(left) && isTextOrAbsent(right)) continue;
      if (name === 'responseKind' && isUnnamedKind(right)) continue;
      const at = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (left === undefined || right === undefined) yield `${at}: ${shown(left)} ≠ ${shown(right)}`;
      else yield* documentDifferences(left, right, at);
    }
  } else if (ours !== theirs) yield `${path}: ${shown(ours)} ≠ ${shown(theirs)}`;
}

/** The kind of a built-in resource, whose group and version are those of its list (semantics/differences#kinds-in-aggregated-discovery). */
const isUnnamedKind = (value: JsonValue | undefined): boolean =>
  isJsonObject(value) && value.group === '' && value.version === '';

const isTextOrAbsent = (value: JsonValue | undefined): boolean =>
  value === undefined || typeof value === 'string';

const shown = (value: JsonValue | undefined): string =>
  value === undefined ? 'absent' : JSON.stringify(value).slice(0, 160);
