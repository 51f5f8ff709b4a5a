import { change } from './changes.mjs';
import { variable } from './namespace.mjs';

export const NAME = 'long';
/** More than a server keeps apart. */
const MANAGERS = ['one', 'two', 'three', ...Array.from({ length: 12 }, (_, i) => `writer-${i}`)];
/** What servers write into an object, and a client does not send. */
const OWN_METADATA = [
  ...['uid', 'creationTimestamp', 'managedFields', 'generation'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds'],
];

/** The options of a write. */
function options(r) {
  return {
    fieldManager: r.pick(MANAGERS),
    ...(r.chance(0.1) && { dryRun: 'All' }),
    ...(r.chance(0.2) && { fieldValidation: r.pick(['Strict', 'Warn', 'Ignore']) }),
  };
}

/** Sends a write and remembers what is stored then. */
async function write(s, one, request, about) {
  const answer = await s.ask(request, { as: 'x', about });
  const isStored = answer.status < 300 && !request.query.dryRun && answer.raw?.kind === one.valid.kind;
  if (isStored) one.live = answer.raw;
}

export async function create(s, one) {
  const body = { ...structuredClone(one.valid), metadata: { name: NAME } };
  await write(s, one, { method: 'POST', path: one.collection, query: options(s.r), body }, 'create');
}

const put = (s, one, body, subresource = '') =>
  write(
    s,
    one,
    { method: 'PUT', path: one.path + subresource, query: options(s.r), body },
    `put${subresource}`,
  );

function patch(s, one, type, body, { subresource = '', ...query } = {}) {
  const headers = { 'content-type': `application/${type}` };
  const all = { ...options(s.r), ...query };
  const path = one.path + subresource;
  const request = { method: 'PATCH', path, query: all, headers, text: JSON.stringify(body) };
  return write(s, one, request, `${type}${subresource}`);
}

/** The object as it is. */
function current(one) {
  const next = structuredClone(one.live ?? one.valid);
  next.metadata = { ...next.metadata, name: NAME, resourceVersion: variable('x_rv') };
  for (const name of OWN_METADATA) delete next.metadata[name];
  for (const name of ['clusterIP', 'clusterIPs']) delete next.spec?.[name];
  return next;
}

/** A part of the object, with some changes. */
function part(r, one, count) {
  const body = { metadata: { name: NAME } };
  for (let i = 0; i < count; i++) change(r, one, body);
  return body;
}

const typeOf = ({ valid: { apiVersion, kind } }) => ({ apiVersion, kind });

/** The ways to write an object, with their weights. */
export const WAYS = {
  put: [4, putChanged],
  putTheSame: [1, (s, one) => put(s, one, current(one))],
  merge: [3, (s, one) => patch(s, one, 'merge-patch+json', part(s.r, one, s.r.between(1, 2)))],
  strategic: [2, (s, one) => patch(s, one, 'strategic-merge-patch+json', part(s.r, one, s.r.between(1, 2)))],
  operations: [2, (s, one) => patch(s, one, 'json-patch+json', operations(s.r))],
  apply: [5, apply],
  status: [2, writeStatus],
  scale: [2, writeScale],
  erase: [0.7, erase],
};

async function putChanged(s, one) {
  const next = current(one);
  change(s.r, one, next);
  const { metadata } = next;
  if (s.r.chance(0.2)) metadata.resourceVersion = s.r.pick([variable('x_old'), variable('first_rv'), '']);
  await put(s, one, next);
}

function operations(r) {
  const name = r.pick(['a', 'b', 'c']);
  return r.pick([
    [{ op: 'add', path: '/metadata/labels', value: { [name]: `${r.int(3)}` } }],
    [
      { op: 'add', path: '/metadata/annotations', value: {} },
      { op: 'add', path: `/metadata/annotations/${name}`, value: 'x' },
    ],
    [
      { op: 'test', path: '/metadata/name', value: NAME },
      { op: 'remove', path: '/metadata/labels' },
    ],
  ]);
}

async function apply(s, one) {
  const body = { ...typeOf(one), ...part(s.r, one, s.r.between(0, 3)) };
  await patch(s, one, 'apply-patch+yaml', body, s.r.chance(0.6) ? { force: 'true' } : {});
}

async function writeStatus(s, one) {
  if (!one.status) return;
  const { status } = one;
  const at = { subresource: '/status' };
  const way = s.r.pick(['merge', 'strategic-merge', 'apply', 'put']);
  if (way === 'put') await put(s, one, { ...current(one), status }, '/status');
  else if (way === 'apply')
    await patch(s, one, 'apply-patch+yaml', { ...typeOf(one), status }, { ...at, force: 'true' });
  else await patch(s, one, `${way}-patch+json`, { status }, at);
}

async function writeScale(s, one) {
  if (!one.hasScale) return;
  const spec = { replicas: s.r.int(4) };
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: NAME }, spec };
  if (s.r.chance(0.5)) await patch(s, one, 'merge-patch+json', { spec }, { subresource: '/scale' });
  else await patch(s, one, 'apply-patch+yaml', scale, { subresource: '/scale', force: 'true' });
}

/** Deletes it, which its finalizers may delay, takes them away and begins anew. */
async function erase(s, one) {
  const query = { propagationPolicy: 'Background', gracePeriodSeconds: '0' };
  await s.ask({ method: 'DELETE', path: one.path, query }, { as: 'x', about: 'delete' });
  await s.ask({ path: one.path }, { as: 'x', about: 'get what was deleted' });
  const headers = { 'content-type': 'application/merge-patch+json' };
  const text = '{"metadata":{"finalizers":null}}';
  await s.ask({ method: 'PATCH', path: one.path, headers, text }, { about: 'take finalizers away' });
  await create(s, one);
}
