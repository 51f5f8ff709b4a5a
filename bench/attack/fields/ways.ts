import { bodyRequest } from '../bodies.ts';
import type { HostileRequest } from '../raw-request.ts';
import type { Field } from './fields-of.ts';
import { protobufOf } from './protobuf-bodies.ts';
import type { Members } from './seeds.ts';
import type { ServedKind } from './served-kinds.ts';

/** A way to send what is long. */
export interface Way {
  /** What else is sent beside what is long. @param seed small object of the kind, which is stored unless it is created */
  base(seed: Members): Members;
  /** @param at path of the stored object, or of objects of the kind if it is created */
  request(at: string, text: string): HostileRequest;
  /** Whether a field can be sent so. Default: each one can. */
  takes?(field: Field): boolean;
}

const whole = (seed: Members): Members => seed;
const nothing = (): Members => ({});
const sent =
  (method: string, type: string, suffix = '?dryRun=All') =>
  (at: string, text: string): HostileRequest =>
    bodyRequest(method, `${at}${suffix}`, type, text);

const APPLIED = '?dryRun=All&force=true&fieldManager=sweep';

/** The ways by which what is long is written over a small object, besides creating it. */
const OVER: Readonly<Record<string, Way>> = {
  replace: { base: whole, request: sent('PUT', 'application/json') },
  merge: { base: nothing, request: sent('PATCH', 'application/merge-patch+json') },
  strategic: { base: nothing, request: sent('PATCH', 'application/strategic-merge-patch+json') },
  apply: { base: whole, request: sent('PATCH', 'application/apply-patch+yaml', APPLIED) },
  status: {
    base: whole,
    request: sent('PUT', 'application/json', '/status?dryRun=All'),
    takes: ({ path }) => path[0] === 'status',
  },
};

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const sentAsProtobuf =
  (method: string) =>
  (at: string, text: string): HostileRequest =>
    bodyRequest(method, `${at}?dryRun=All`, PROTOBUF, protobufOf(text));

/** All ways; what is `stored` is also read and written after it was created. */
export const WAYS: Readonly<Record<string, Way>> = {
  create: { base: whole, request: sent('POST', 'application/json') },
  protobuf: { base: whole, request: sentAsProtobuf('POST') },
  'replace-protobuf': { base: whole, request: sentAsProtobuf('PUT') },
  stored: { base: whole, request: sent('POST', 'application/json', '') },
  ...OVER,
};

const get = (path: string, accept: string): HostileRequest => ({ path, headers: [`Accept: ${accept}`] });

/** What is asked of a large object by others. @param at its path; @param large itself, as JSON */
export function requestsAfter(
  kind: ServedKind,
  kinds: readonly ServedKind[],
  at: string,
  large: string,
): ReadonlyMap<string, HostileRequest> {
  const { apiVersion, path } = kind;
  const name = at.slice(path.length);
  const small = `{"metadata":{"annotations":{"a.io/b":"c"}}}`;
  const identity = `{"apiVersion":"${apiVersion}","kind":"${kind.kind}",${small.slice(1)}`;
  // names of samples end with a number
  const others = large.replaceAll(/(\d)"/g, '$1x"');
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  return new Map([
    ['table', get(at, table)],
    ['table of a list', get(path, table)],
    ['read as Protobuf', get(at, 'application/vnd.kubernetes.protobuf')],
    ...kinds
      .filter((other) => other !== kind && isSame(other, kind))
      .map((other) => [`read as ${other.apiVersion}`, get(`${other.path}${name}`, table)] as const),
    ['small strategic merge', sent('PATCH', 'application/strategic-merge-patch+json')(at, small)],
    ['small apply', sent('PATCH', 'application/apply-patch+yaml', APPLIED)(at, identity)],
    ...['replace', 'strategic', 'apply'].map(
      (way) => [`${way} by others`, OVER[way]?.request(at, others) as HostileRequest] as const,
    ),
    ['delete', { method: 'DELETE', path: `${at}?dryRun=All` }],
  ]);
}

const isSame = (a: ServedKind, b: ServedKind): boolean =>
  a.kind === b.kind && a.apiVersion.split('/').at(-2) === b.apiVersion.split('/').at(-2);
