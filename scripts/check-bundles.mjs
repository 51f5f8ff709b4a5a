// Refuses a client that has become too large for a browser, and packages with more run-time dependencies than are listed here.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Bytes of a browser bundle, compressed, at most. */
const BUNDLES = [
  ["export { createClient, createFetchTransport, webAmbient } from '@ashlar/client';", 20_000],
  ["export { createClient, createInformer, createWorkQueue } from '@ashlar/client';", 25_000],
  // with the configuration files of kubectl, for which a part of zod is needed
  ["export * from '@ashlar/client';", 50_000],
];

/** Number of run-time dependencies beyond packages of this repository; all others have none. */
const DEPENDENCIES = {
  apis: 1,
  authn: 3,
  authz: 1,
  cel: 1,
  client: 1,
  codec: 2,
  controllers: 3,
  encryption: 2,
  'flow-control': 1,
  'http-node': 2,
  schema: 2,
  server: 3,
  storage: 1,
  'storage-etcd': 1,
  'storage-postgres': 1,
  'storage-sqlite': 1,
};

const faults = [];
for (const [contents, limit] of BUNDLES) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: 'packages/client' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['@ashlar/source'],
    logLevel: 'silent',
  });
  const size = gzipSync(outputFiles[0].contents).length;
  console.log(`${contents} ${size} bytes`);
  if (size > limit) faults.push(`${contents} has ${size} bytes compressed, and ${limit} are allowed`);
}
for (const name of readdirSync('packages')) {
  const { dependencies = {} } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'));
  const count = Object.keys(dependencies).filter((each) => !each.startsWith('@ashlar/')).length;
  const allowed = DEPENDENCIES[name] ?? 0;
  if (count !== allowed) faults.push(`packages/${name} has ${count} run-time dependencies, not ${allowed}`);
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
