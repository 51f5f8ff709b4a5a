import { setTimeout as pause } from 'node:timers/promises';

/** Runs `kubectl` as the administrator. @param input what it reads. @throws Error with its messages */
export type Kubectl = (args: string, input?: unknown) => Promise<string>;

/** What a cluster does by itself. */
export interface ClusterCheck {
  readonly name: string;
  /** @throws Error that says what did not happen */
  run(kubectl: Kubectl): Promise<void>;
}

const LONGEST_MILLISECONDS = 120_000;
const WAIT = '--timeout=120s';

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + LONGEST_MILLISECONDS; ; await pause(250)) {
    if (await holds().catch(() => false)) return;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
  }
}

/** Waits until a JSONPath of an object prints a text. */
async function shows(kubectl: Kubectl, object: string, path: string, text: string): Promise<void> {
  let seen = '';
  await until(`${path} of ${object} is ${text}`, async () => {
    seen = await kubectl(`-n shop get ${object} -o jsonpath={${path}}`);
    return seen === text;
  }).catch((error) => {
    throw new Error(`${error.message}, but ${seen || 'nothing'}`);
  });
}

const count = async (kubectl: Kubectl, selection: string): Promise<number> =>
  (await kubectl(`-n shop get ${selection} -o name`)).split('\n').filter(Boolean).length;

const node = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    labels: { 'kubernetes.io/hostname': name },
    annotations: { 'kwok.x-k8s.io/node': 'fake' },
  },
  status: {
    allocatable: { cpu: '32', memory: '256Gi', pods: '110' },
    capacity: { cpu: '32', memory: '256Gi', pods: '110' },
  },
});

const podTemplate = (app: string): object => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: app, image: 'nginx' }] },
});

const pods = (app: string): object => ({ selector: { matchLabels: { app } }, template: podTemplate(app) });

const workload = (kind: string, name: string, spec: object): object => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace: 'shop' },
  spec: { ...pods(name), ...spec },
});

export const checks: readonly ClusterCheck[] = [
  {
    name: 'the controllers and the scheduler elect a leader',
    async run(kubectl) {
      for (const lease of ['kube-controller-manager', 'kube-scheduler']) {
        const holder = `-n kube-system get lease ${lease} -o jsonpath={.spec.holderIdentity}`;
        await until(`${lease} has a leader`, async () => (await kubectl(holder)) !== '');
      }
    },
  },
  {
    name: 'nodes become ready',
    async run(kubectl) {
      for (const name of ['node-a', 'node-b']) await kubectl('create -f -', node(name));
      await kubectl(`wait --for=condition=Ready node --all ${WAIT}`);
    },
  },
  {
    name: 'a namespace gets its account and the certificates of the cluster',
    async run(kubectl) {
      await kubectl('create namespace shop');
      await shows(kubectl, 'serviceaccount default', '.metadata.name', 'default');
      await shows(kubectl, 'configmap kube-root-ca.crt', '.metadata.name', 'kube-root-ca.crt');
    },
  },
  {
    name: 'a deployment is rolled out, changed, scaled and undone',
    async run(kubectl) {
      await kubectl('create -f -', workload('Deployment', 'web', { replicas: 3 }));
      await kubectl(`-n shop rollout status deployment/web ${WAIT}`);
      await kubectl('-n shop set image deployment/web web=nginx:2');
      await kubectl(`-n shop rollout status deployment/web ${WAIT}`);
      await kubectl('-n shop scale deployment/web --replicas=5');
      await shows(kubectl, 'deployment web', '.status.readyReplicas', '5');
      await kubectl('-n shop rollout undo deployment/web');
      await kubectl(`-n shop rollout status deployment/web ${WAIT}`);
      const old = await count(kubectl, 'replicasets');
      if (old !== 2) throw new Error(`${old} replica sets instead of 2`);
    },
  },
  {
    name: 'a service finds the addresses of its pods',
    async run(kubectl) {
      await kubectl('-n shop expose deployment web --port=80');
      await until('endpoints have five addresses', async () => {
        const text = await kubectl('-n shop get endpoints web -o jsonpath={.subsets[*].addresses[*].ip}');
        return text.split(' ').length === 5;
      });
      await until('slices have five ready endpoints', async () => {
        const path = '{.items[*].endpoints[*].conditions.ready}';
        const text = await kubectl(
          `-n shop get endpointslices -l kubernetes.io/service-name=web -o jsonpath=${path}`,
        );
        return text === 'true true true true true';
      });
    },
  },
  {
    name: 'a disruption budget holds back evictions',
    async run(kubectl) {
      await kubectl('-n shop create poddisruptionbudget web --selector=app=web --min-available=5');
      await shows(kubectl, 'poddisruptionbudget web', '.status.currentHealthy', '5');
      const [pod] = (
        await kubectl('-n shop get pods -l app=web -o jsonpath={.items[*].metadata.name}')
      ).split(' ');
      const eviction = {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: pod, namespace: 'shop' },
      };
      const path = `/api/v1/namespaces/shop/pods/${pod}/eviction`;
      const refusal = await kubectl(`create --raw ${path} -f -`, eviction).then(
        () => '',
        (error) => String(error),
      );
      if (!refusal.includes('disruption budget')) throw new Error(`the eviction was not refused: ${refusal}`);
      await kubectl('-n shop delete poddisruptionbudget web');
    },
  },
  {
    name: 'a node is drained',
    async run(kubectl) {
      await kubectl(`drain node-a --ignore-daemonsets --force --delete-emptydir-data ${WAIT}`);
      await kubectl(`-n shop rollout status deployment/web ${WAIT}`);
      await until('all pods run on the other node', async () => {
        const text = await kubectl('-n shop get pods -l app=web -o jsonpath={.items[*].spec.nodeName}');
        return text.split(' ').length === 5 && text.split(' ').every((name) => name === 'node-b');
      });
      await kubectl('uncordon node-a');
    },
  },
  {
    name: 'a stateful set and a daemon set are rolled out',
    async run(kubectl) {
      await kubectl('create -f -', workload('StatefulSet', 'db', { replicas: 3, serviceName: 'db' }));
      await kubectl('create -f -', workload('DaemonSet', 'agent', {}));
      await kubectl(`-n shop rollout status statefulset/db ${WAIT}`);
      await kubectl(`-n shop rollout status daemonset/agent ${WAIT}`);
      const names = await kubectl('-n shop get pods -l app=db -o jsonpath={.items[*].metadata.name}');
      if (names !== 'db-0 db-1 db-2') throw new Error(`the pods are ${names}`);
      if ((await count(kubectl, 'pods -l app=agent')) !== 2) throw new Error('not one pod for each node');
    },
  },
  {
    name: 'jobs complete, are made by schedules, and are removed after their time',
    async run(kubectl) {
      await kubectl('-n shop create job once --image=busybox -- true');
      await kubectl(`-n shop wait --for=condition=Complete job/once ${WAIT}`);
      await kubectl('-n shop patch job once --type=merge -p {"spec":{"ttlSecondsAfterFinished":1}}');
      await until('the job is removed', async () => (await count(kubectl, 'jobs')) === 0);
      await kubectl(
        '-n shop create cronjob tick --image=busybox --schedule=*/1\u00a0*\u00a0*\u00a0*\u00a0* -- true',
      );
      await until('the schedule makes a job', async () => (await count(kubectl, 'jobs')) > 0);
      await kubectl('-n shop delete cronjob tick');
    },
  },
  {
    name: 'a claim is bound to a volume',
    async run(kubectl) {
      const metadata = { name: 'disk', namespace: 'shop' };
      const common = { accessModes: ['ReadWriteOnce'], storageClassName: 'manual' };
      await kubectl('create -f -', {
        ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'disk' } },
        spec: { ...common, capacity: { storage: '1Gi' }, hostPath: { path: '/data' } },
      });
      await kubectl('create -f -', {
        ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata },
        spec: { ...common, resources: { requests: { storage: '1Gi' } } },
      });
      await shows(kubectl, 'persistentvolumeclaim disk', '.status.phase', 'Bound');
    },
  },
  {
    name: 'a quota is counted',
    async run(kubectl) {
      await kubectl('-n shop create quota limits --hard=pods=50,services=5');
      await shows(kubectl, 'resourcequota limits', '.status.used.services', '1');
    },
  },
  {
    name: 'an autoscaler reports that it has no metrics',
    async run(kubectl) {
      await kubectl('-n shop autoscale deployment web --max=9 --cpu-percent=50');
      const path = '.status.conditions[?(@.type=="ScalingActive")].reason';
      await shows(kubectl, 'horizontalpodautoscaler web', path, 'FailedGetResourceMetric');
    },
  },
  {
    name: 'owners take what they own with them, or leave it behind',
    async run(kubectl) {
      await kubectl(`-n shop delete deployment web --cascade=foreground ${WAIT}`);
      if ((await count(kubectl, 'replicasets,pods -l app=web')) !== 0) throw new Error('something is left');
      await kubectl(`-n shop delete statefulset db --cascade=orphan ${WAIT}`);
      if ((await count(kubectl, 'pods -l app=db')) !== 3) throw new Error('the pods are gone');
    },
  },
  {
    name: 'a namespace is deleted with all that it holds',
    async run(kubectl) {
      await kubectl(`delete namespace shop ${WAIT}`);
      if ((await count(kubectl, 'pods,services,jobs,daemonsets')) !== 0) throw new Error('something is left');
    },
  },
];
