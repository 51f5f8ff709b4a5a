// What an apply costs: npx tsx --conditions=@ashlar/source bench/apply.bench.ts [milliseconds]
// A deployment with six containers owned by four managers is applied again by the fourth: unchanged, and
// with another image each time. Rounds alternate in one process, the best counts. Compare with the field
// manager in Go by running its bench (BenchmarkApply, the same object) at the same time.
import { workloadResources } from '@ashlar/apis/workloads';
import { type ApiObject, type JsonObject, kubernetesVocabulary as vocabulary } from '@ashlar/core';
import { compileKindFieldType, FieldManager } from '@ashlar/field-manager';

const MILLISECONDS = Number(process.argv[2] ?? 5000);
const ROUNDS = 5;

function manifest(manager: string, image: string): JsonObject {
  const containers = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({
    name,
    image,
    ports: [{ containerPort: 8080, protocol: 'TCP' }],
    env: [{ name: 'MODE', value: manager }],
    resources: { limits: { cpu: '500m', memory: '1Gi' } },
  }));
  const labels = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default', labels, annotations: { [`by-${manager}`]: 'yes' } },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

function deploymentFields(): FieldManager {
  const definition = workloadResources(vocabulary).find(({ names }) => names.plural === 'deployments');
  const version = definition?.versions[0];
  if (!version) throw new TypeError('there are no deployments');
  const type = compileKindFieldType(version.schema);
  return new FieldManager({
    kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
    versions: {
      typeOf: (apiVersion) => (apiVersion === 'apps/v1' ? type : undefined),
      convert: (object) => object,
    },
    clock: Date,
    vocabulary,
  });
}

/** Decoded from bytes, as a store returns it, so that nothing is cached. */
const reread = <T>(object: T): T => JSON.parse(JSON.stringify(object)) as T;

const fields = deploymentFields();
let live: ApiObject | undefined;
for (const manager of ['one', 'two', 'three', 'four'])
  live = reread(fields.apply(live, manifest(manager, 'image:1'), { manager, force: true }));

/** Microseconds per apply. */
function measure(images: readonly string[], isFresh: boolean): number {
  let count = 0;
  const start = performance.now();
  const end = start + MILLISECONDS / ROUNDS;
  let now = start;
  // The input is already parsed, as in the compared bench.
  for (; now < end; now = performance.now()) {
    const object = isFresh ? reread(live) : live;
    const began = isFresh ? performance.now() : 0;
    fields.apply(object, manifest('four', images[count % 2] as string), { manager: 'four', force: true });
    if (isFresh) fresh += performance.now() - began;
    count++;
  }
  if (!isFresh) return ((now - start) * 1000) / count;
  const spent = fresh;
  fresh = 0;
  return (spent * 1000) / count;
}
let fresh = 0;

const modes: readonly (readonly [string, readonly string[], boolean])[] = [
  ['noop', ['image:1', 'image:1'], false],
  ['change', ['image:1', 'image:2'], false],
  ['noop, read anew', ['image:1', 'image:1'], true],
  ['change, read anew', ['image:1', 'image:2'], true],
];
const best = new Map<string, number>();
for (let round = 0; round < ROUNDS; round++)
  for (const [name, images, isFresh] of modes)
    best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, measure(images, isFresh)));
for (const [name, microseconds] of best) console.log(`${name.padEnd(20)} ${microseconds.toFixed(0)} µs`);
