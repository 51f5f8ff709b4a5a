// What admission policies cost a write: npx tsup && npx tsx bench/policies.ts [rounds]
// Creations of a deployment in this process: without policies, under 50 that are for another resource, and under 50 of 3 expressions
// each that match; beside them the bare evaluation of these 150 expressions. The minimum of the rounds counts, in processor time;
// creations are dry runs, so that what is stored does not grow.
import { workloadResources } from '@ashlar/apis/workloads';
import { type Program, policyDeclarations, serverEnvironment } from '@ashlar/cel';
import { type ApiObject, groupName, orchVocabulary as vocabulary } from '@ashlar/core';
import { createApiServer } from '@ashlar/server';

const POLICIES = 50;
const CREATIONS = 100;
const rounds = Number(process.argv[2] ?? 9);

const expressions = [
  "object.spec.template.spec.containers.all(c, c.image.contains(':'))",
  '!has(object.spec.replicas) || object.spec.replicas <= 100',
  "has(object.metadata.labels) && 'team' in object.metadata.labels",
];
const deployment = {
  metadata: { generateName: 'd-', labels: { team: 'x', app: 'd' } },
  spec: {
    selector: { matchLabels: { app: 'd' } },
    template: {
      metadata: { labels: { app: 'd' } },
      spec: {
        containers: [
          { name: 'a', image: 'a:1' },
          { name: 'b', image: 'b:1' },
        ],
      },
    },
  },
};
const group = groupName(vocabulary, 'admissionregistration.');

async function serverWith(resource: string | undefined) {
  const server = createApiServer({
    vocabulary,
    controllers: false,
    resources: workloadResources(vocabulary),
  });
  await server.ready;
  const stored = (kind: string, plural: string) =>
    server.client.resource<ApiObject>({ group, version: 'v1', resource: plural, kind });
  for (let i = 0; resource !== undefined && i < POLICIES; i++) {
    await stored('ValidatingAdmissionPolicy', 'validatingadmissionpolicies').create({
      metadata: { name: `p${i}` },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] },
          ],
        },
        validations: expressions.map((expression) => ({ expression, message: 'no' })),
      },
    });
    await stored('ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings').create({
      metadata: { name: `b${i}` },
      spec: { policyName: `p${i}`, validationActions: ['Deny'] },
    });
  }
  const deployments = server.client
    .resource<ApiObject>({ group: 'apps', version: 'v1', resource: 'deployments', kind: 'Deployment' })
    .namespace('default');
  return { server, create: () => deployments.create(deployment, { dryRun: ['All'] }) };
}

function bareEvaluations(): () => void {
  const environment = serverEnvironment({ vocabulary }).extend(policyDeclarations(vocabulary));
  const programs = Array.from({ length: POLICIES }, () => expressions)
    .flat()
    .map((text): Program => {
      const compiled = environment.compile(text);
      if (!compiled.ok) throw new Error(compiled.text);
      return compiled.program;
    });
  const bindings = { object: { apiVersion: 'apps/v1', kind: 'Deployment', ...deployment } };
  return () => {
    for (const program of programs) program.evaluate(bindings, { costLimit: 1_000_000 });
  };
}

const cases: Record<string, () => unknown> = {
  'no policies': (await serverWith(undefined)).create,
  'policies for another resource': (await serverWith('statefulsets')).create,
  'policies that match': (await serverWith('deployments')).create,
  'bare evaluations': bareEvaluations(),
};
const times = new Map<string, number[]>(Object.keys(cases).map((name) => [name, []]));
for (let round = 0; round < rounds; round++)
  for (const [name, run] of Object.entries(cases)) {
    const start = process.cpuUsage();
    for (let i = 0; i < CREATIONS; i++) await run();
    const { user, system } = process.cpuUsage(start);
    times.get(name)?.push((user + system) / 1000 / CREATIONS);
  }
const least = (name: string): number => Math.min(...(times.get(name) ?? []));
for (const name of Object.keys(cases)) console.log(`${name.padEnd(32)} ${least(name).toFixed(3)} ms`);
const added = least('policies that match') - least('no policies');
const allowed = 1.3 * least('bare evaluations') + 0.1;
console.log(
  `policies add ${added.toFixed(3)} ms; 1.3 times their evaluations and 0.1 ms are ${allowed.toFixed(3)} ms`,
);
process.exit();
