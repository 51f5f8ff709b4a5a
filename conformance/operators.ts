// Runs the suites of controller-runtime on this server, and those of published operators' webhooks: their own program, built with
// controller-runtime, mutates and validates through it over TLS.
//   npx tsup && npx tsx --conditions=@ashlar/source conformance/operators.ts [--only REGEX] [--show] [--existing]
// The modules are fetched while it runs and built with Go (minutes the first time). The suites are those of envtest, which starts an etcd
// and this server in place of kube-apiserver; with --existing, or without etcd, they use a running server as an existing cluster, which
// suites of controller-runtime cannot. Fails if a suite fails.
import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startOwnServer } from '../bench/own-server.ts';
import { etcdProgram } from '../packages/storage-etcd/src/client/etcd-process.fixture.ts';

interface Operator {
  readonly name: string;
  readonly module: string;
  /** The packages of its suites. */
  readonly suites: readonly string[];
  /** A pattern of tests that no server of this release passes. */
  readonly skipped?: string;
}

const operators: readonly Operator[] = [
  { name: 'jobset', module: 'sigs.k8s.io/jobset@v0.8.0', suites: ['test/integration/webhook'] },
  { name: 'lws', module: 'sigs.k8s.io/lws@v0.6.1', suites: ['test/integration/webhooks'] },
  {
    name: 'controller-runtime',
    module: 'sigs.k8s.io/controller-runtime@v0.20.4',
    suites: [
      ...[
        'builder',
        'cache',
        'client',
        'client/apiutil',
        'cluster',
        'controller',
        'controller/controllerutil',
      ],
      ...['handler', 'internal/controller', 'internal/recorder', 'manager', 'manager/internal/integration'],
      ...['metrics/filters', 'reconcile', 'source', 'webhook'],
    ].map((path) => `pkg/${path}`),
    // they switch a feature gate off that is locked since 1.30
    skipped: 'aggregatedDiscovery=false',
  },
];

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '.' },
    show: { type: 'boolean', default: false },
    existing: { type: 'boolean', default: false },
  },
});

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs a program to its end. */
function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: stdout + stderr }),
    );
  });
}

/** Fetches a module and copies it: Go builds no tests in its cache. @throws Error */
async function sourcesOf({ name, module }: Operator, folder: string): Promise<string> {
  const { output } = await run('go', ['mod', 'download', '-json', module], folder);
  const { Dir, Error: why } = JSON.parse(output.slice(output.indexOf('{'))) as {
    Dir?: string;
    Error?: string;
  };
  if (!Dir) throw new Error(`${module}: ${why}`);
  const copy = join(folder, name);
  cpSync(Dir, copy, { recursive: true });
  for (const path of ['.', ...readdirSync(copy, { recursive: true, encoding: 'utf8' })])
    chmodSync(join(copy, path), 0o755);
  return copy;
}

const COMMAND = join(import.meta.dirname, '../packages/server/bin/ashlar.mjs');

/** Writes the programs that envtest starts; `kube-apiserver` is this server. */
function assetsIn(folder: string, etcd: string): string {
  const assets = join(folder, 'assets');
  mkdirSync(assets);
  symlinkSync(etcd, join(assets, 'etcd'));
  const kubectl = process.env.PATH?.split(':')
    .map((path) => join(path, 'kubectl'))
    .find(existsSync);
  if (kubectl) symlinkSync(kubectl, join(assets, 'kubectl'));
  const serve = `exec '${process.execPath}' '${COMMAND}' serve --vocabulary kubernetes "$@"`;
  writeFileSync(join(assets, 'kube-apiserver'), `#!/bin/sh\n${serve}\n`, { mode: 0o755 });
  return assets;
}

/** Runs a suite of an operator on a server of its own; resolves to whether it passed. */
async function runSuite(operator: Operator, suite: string, sources: string, into: string): Promise<boolean> {
  const program = join(into, 'suite.test');
  const built = await run('go', ['test', '-c', '-o', program, `./${suite}`], sources, {
    GOFLAGS: '-mod=mod',
  });
  if (built.code !== 0) throw new Error(`${operator.name} ${suite} cannot be built:\n${built.output}`);
  const etcd = values.existing ? undefined : etcdProgram;
  await using _server = etcd === undefined ? await startOwnServer(into, ['--storage', 'memory']) : undefined;
  const flags = [
    '-test.v',
    '-ginkgo.no-color',
    ...(operator.skipped ? [`-test.skip=/${operator.skipped}`] : []),
  ];
  const { code, output } = await run(program, flags, join(sources, suite), {
    ...(etcd === undefined
      ? { USE_EXISTING_CLUSTER: 'true', KUBECONFIG: join(into, '.ashlar/kubeconfig') }
      : { KUBEBUILDER_ASSETS: assetsIn(into, etcd) }),
  });
  const summary = /^(?:SUCCESS|FAIL)! -- .*$/m.exec(output)?.[0] ?? 'no summary';
  const others = (result: string): number => output.match(new RegExp(`^ *--- ${result}`, 'gm'))?.length ?? 0;
  console.log(
    `${operator.module} ${suite}: ${summary.trim()}; of Go tests ${others('PASS')} Passed | ${others('FAIL')} Failed`,
  );
  if (values.show || code !== 0) console.log(output);
  return code === 0;
}

/** Runs the suites of an operator; resolves to the number of those that failed. */
async function runSuites(operator: Operator, folder: string): Promise<number> {
  const sources = await sourcesOf(operator, folder);
  let failed = 0;
  for (const [index, suite] of operator.suites.entries()) {
    const into = join(folder, `${operator.name}-${index}`);
    mkdirSync(into);
    if (!(await runSuite(operator, suite, sources, into))) failed++;
  }
  return failed;
}

const folder = mkdtempSync(join(tmpdir(), 'operators-'));
try {
  const wanted = operators.filter(({ name }) => new RegExp(values.only).test(name));
  let failed = 0;
  for (const operator of wanted) failed += await runSuites(operator, folder);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
