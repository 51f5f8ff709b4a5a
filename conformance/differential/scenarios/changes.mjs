const CONTAINER = { name: 'main', image: 'app:1' };
const PORTS = [
  { name: 'http', port: 80 },
  { name: 'https', port: 443 },
  { name: 'dns', port: 53, protocol: 'UDP' },
];
const AT_CONTAINERS = ['spec', 'template', 'spec', 'containers'];

/** Values of fields, by what they are about: the path of the field, and how a value is chosen. */
const FIELDS = {
  labels: [
    ['metadata', 'labels'],
    (r) => r.pick([{ app: 'web' }, { app: 'api', tier: 'back' }, { 'example.com/x': '1' }, {}]),
  ],
  annotations: [
    ['metadata', 'annotations'],
    (r) => r.pick([{ note: `${r.int(3)}` }, { note: 'x', other: 'y' }, {}]),
  ],
  finalizers: [
    ['metadata', 'finalizers'],
    (r) => r.pick([[], ['example.com/keep'], ['example.com/keep', 'example.com/more']]),
  ],
  data: [['data'], (r) => r.pick([{ a: `${r.int(4)}` }, { a: '1', b: '2' }, { c: 'x' }, {}])],
  replicas: [['spec', 'replicas'], (r) => r.int(4)],
  image: [AT_CONTAINERS, (r) => [{ ...CONTAINER, image: `app:${r.int(4)}` }]],
  environment: [AT_CONTAINERS, (r) => [{ ...CONTAINER, env: environment(r) }]],
  paused: [['spec', 'paused'], (r) => r.chance(0.5)],
  ports: [['spec', 'ports'], (r) => r.shuffled(PORTS).slice(0, r.between(1, 3))],
  selector: [
    ['spec', 'selector'],
    (r) => r.pick([{ app: 'web' }, { app: 'api' }, { app: 'web', tier: 'back' }]),
  ],
};
const OF_ALL_KINDS = ['labels', 'annotations', 'finalizers'];

const environment = (r) => r.list(r.int(4), (i) => ({ name: `E${i}`, value: `${r.int(3)}` }));

const MAIN = { metadata: { labels: { app: 'web' } }, spec: { containers: [CONTAINER] } };

/** Objects that are written many times. */
export const KINDS = [
  {
    group: '/api/v1',
    plural: 'configmaps',
    valid: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } },
    fields: ['data'],
  },
  {
    group: '/apis/apps/v1',
    plural: 'deployments',
    valid: {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
      spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: MAIN },
    },
    fields: ['replicas', 'image', 'environment', 'paused'],
    status: { replicas: 1, conditions: [{ type: 'Available', status: 'True', reason: 'R', message: 'm' }] },
    hasScale: true,
  },
  {
    group: '/api/v1',
    plural: 'services',
    valid: {
      ...{ apiVersion: 'v1', kind: 'Service' },
      spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] },
    },
    fields: ['ports', 'selector'],
    status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
    // addresses that each server draws stand in tables and texts
    isDrawn: true,
  },
];

/** Changes one field of an object of the kind. */
export function change(r, { fields }, object) {
  const [path, value] = FIELDS[r.pick([...OF_ALL_KINDS, ...fields, ...fields])];
  const last = path.at(-1);
  let at = object;
  for (const name of path.slice(0, -1)) {
    at[name] ??= {};
    at = at[name];
  }
  at[last] = value(r);
}
