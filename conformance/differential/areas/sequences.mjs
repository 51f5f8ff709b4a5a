// One object that is written many times, by several managers and in all ways; at the end the watch of all that happened to it.
import { KINDS } from '../scenarios/changes.mjs';
import { createNamespace, variable, within } from '../scenarios/namespace.mjs';
import { create, NAME, WAYS } from '../scenarios/writes.mjs';

/** Texts are not asked for: managers stand in the order of seconds, which may differ. */
const VIEWS = [
  'application/json',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
];
const WEIGHTS = Object.fromEntries(Object.entries(WAYS).map(([name, [weight]]) => [name, weight]));

export async function scenario(s) {
  const { r } = s;
  await createNamespace(s);
  const kind = r.pick(KINDS);
  const collection = within(kind.group, kind.plural);
  const one = { ...kind, collection, path: `${collection}/${NAME}`, live: undefined };
  await create(s, one);
  for (const view of s.views) view.variables.first_rv = view.variables.x_rv;
  for (let n = r.between(40, 90); n > 0; n--) {
    const [, write] = WAYS[r.weighted(WEIGHTS)];
    await (r.chance(0.8) ? write(s, one) : read(s, one));
  }
  const query = { watch: '1', resourceVersion: variable('first_rv'), timeoutSeconds: '1' };
  await s.watch({ path: collection, query }, undefined, { about: 'watch all that happened' });
}

async function read(s, one) {
  const { r } = s;
  if (r.chance(0.7)) return readOne(s, one);
  const resourceVersion = r.pick(['x_old', 'first_rv', 'x_rv'].map(variable));
  const query = { resourceVersion, resourceVersionMatch: r.pick(['Exact', 'NotOlderThan']) };
  return s.ask({ path: one.collection, query }, { as: 'list', about: 'list of the past' });
}

function readOne(s, { path, isDrawn }) {
  const accept = s.r.pick(isDrawn ? VIEWS.slice(0, 2) : VIEWS);
  return s.ask({ path, headers: { accept } }, { as: 'x', about: 'get' });
}
