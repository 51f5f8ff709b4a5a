// Runs the suites of published operators' webhooks on this server: their own program, built with controller-runtime, mutates and
// validates through it over TLS.
//   npx tsup && npx tsx --conditions=@ashlar/source conformance/operators.ts [--only REGEX] [--show] [--existing]
// The modules are fetched while it runs and built with Go (minutes the first time). The suites are those of envtest, which starts an etcd
// and this server in place of kube-apiserver; with --existing, or without etcd, they use a running server as an existing cluster. Fails
// if a suite fails.
import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
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
  /** The package of its suite. */
  readonly suite: string;
}

const operators: readonly Operator[] = [
  { name: 'jobset', module: 'sigs.k8s.io/jobset@v0.8.0', suite: 'test/integration/webhook' },
  { name: 'lws', module: 'sigs.k8s.io/lws@v0.6.1', suite: 'test/integration/webhooks' },
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
  const serve = `exec '${process.execPath}' '${COMMAND}' serve --vocabulary kubernetes "$@"`;
  writeFileSync(join(assets, 'kube-apiserver'), `#!/bin/sh\n${serve}\n`, { mode: 0o755 });
  return assets;
}

/** Runs the suite of an operator on a server of its own; resolves to whether it passed. */
async function runSuite(operator: Operator, folder: string): Promise<boolean> {
  const sources = await sourcesOf(operator, folder);
  const program = join(folder, `${operator.name}.test`);
  const built = await run('go', ['test', '-c', '-o', program, `./${operator.suite}`], sources, {
    GOFLAGS: '-mod=mod',
  });
  if (built.code !== 0) throw new Error(`${operator.name} cannot be built:\n${built.output}`);
  const state = join(folder, `${operator.name}-server`);
  mkdirSync(state);
  const etcd = values.existing ? undefined : etcdProgram;
  await using _server = etcd === undefined ? await startOwnServer(state, ['--storage', 'memory']) : undefined;
  const { code, output } = await run(program, ['-ginkgo.no-color'], join(sources, operator.suite), {
    ...(etcd === undefined
      ? { USE_EXISTING_CLUSTER: 'true', KUBECONFIG: join(state, '.ashlar/kubeconfig') }
      : { KUBEBUILDER_ASSETS: assetsIn(state, etcd) }),
  });
  const summary = /^(?:SUCCESS|FAIL)! -- .*$/m.exec(output)?.[0] ?? 'no summary';
  console.log(`${operator.name.padEnd(10)} ${operator.module}: ${summary}`);
  if (values.show || code !== 0) console.log(output);
  return code === 0;
}

const folder = mkdtempSync(join(tmpdir(), 'operators-'));
try {
  const wanted = operators.filter(({ name }) => new RegExp(values.only).test(name));
  let failed = 0;
  for (const operator of wanted) if (!(await runSuite(operator, folder))) failed++;
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
