// Makes the folder of a package: `node scripts/new-package.mjs NAME 'one job' [dependency[@version] …]`; names of our own packages need no version.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';

const [name, job, ...dependencies] = process.argv.slice(2);
if (!name || !job) {
  console.error('usage: new-package.mjs NAME JOB [DEPENDENCY…]');
  process.exit(2);
}
const own = (dependency) => !dependency.includes('@', 1);
const versions = Object.fromEntries(
  dependencies.map((d) =>
    own(d) ? [`@ashlar/${d}`, '0.1.0'] : [d.slice(0, d.lastIndexOf('@')), d.slice(d.lastIndexOf('@') + 1)],
  ),
);
const manifest = {
  name: `@ashlar/${name}`,
  version: '0.1.0',
  description: job,
  type: 'module',
  license: 'Apache-2.0',
  sideEffects: false,
  engines: { node: '>=20.19.0' },
  files: ['dist', 'src'],
  exports: {
    '.': { '@ashlar/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
    './package.json': './package.json',
  },
  dependencies: versions,
  publishConfig: { access: 'public' },
};
const root = `packages/${name}`;
if (existsSync(`${root}/package.json`)) throw new Error(`${root} is there already`);
mkdirSync(`${root}/src`, { recursive: true });
writeFileSync(`${root}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
if (!existsSync(`${root}/README.md`)) writeFileSync(`${root}/README.md`, `# @ashlar/${name}\n\n${job}\n`);
