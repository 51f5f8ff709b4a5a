// Creates a package that passes every check: manifest, entry point, a function with its test, and a README
// whose example runs.
// `node scripts/new-package.mjs NAME 'its purpose' [DEPENDENCY[@VERSION] …]`, in the folder of packages/ and
// layers.json.
// A dependency of another package, or a package itself, needs no version: it is read from the manifests.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [name, job, ...dependencies] = process.argv.slice(2);
if (!name || !job) fail('usage: new-package.mjs NAME JOB [DEPENDENCY[@VERSION]…]');
if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) fail(`${name} is not a name such as rate-limits`);
const root = join('packages', name);
if (existsSync(root)) fail(`${root} exists already`);

const manifests = new Map(
  readdirSync('packages').map((folder) => [
    folder,
    JSON.parse(readFileSync(join('packages', folder, 'package.json'), 'utf8')),
  ]),
);
const sentence = /[.!?]$/.test(job) ? job : `${job}.`;
const files = {
  'package.json': `${JSON.stringify(manifest(), null, 2)}\n`,
  ...sources(),
};
for (const [file, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
const biome = 'node_modules/.bin/biome';
if (existsSync(biome))
  execFileSync(biome, ['check', '--write', root], { stdio: ['ignore', 'ignore', 'inherit'] });
console.log(`${root} is made. What remains:
- layers.json: put "${name}" into ${layerHint()}
- README.md and docs/architecture.md: a row in the table of packages
- npm install --ignore-scripts: links the package and writes it into package-lock.json
- npm run check && npm test -w @ashlar/${name}`);
if (dependencies.length > 0) console.log('Dependencies that nothing imports are refused by npm run lint.');

function fail(message) {
  console.error(message);
  process.exit(2);
}

function manifest() {
  // shared fields are those of the bottom package
  const { version, type, license, sideEffects, engines, files, publishConfig } = manifests.get('core');
  return {
    name: `@ashlar/${name}`,
    version,
    description: sentence,
    type,
    license,
    keywords: ['kubernetes', 'api-server', name],
    sideEffects,
    scripts: { test: `vitest run --root ../.. packages/${name}/` },
    engines,
    files,
    exports: {
      '.': { '@ashlar/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(dependencies.map(versioned).sort(([a], [b]) => (a < b ? -1 : 1))),
    publishConfig,
  };
}

/** `core`, `zod` or `zod@4.0.0`, as name and version. */
function versioned(dependency) {
  const at = dependency.lastIndexOf('@');
  if (at > 0) return [dependency.slice(0, at), dependency.slice(at + 1)];
  const sibling = manifests.get(dependency);
  if (sibling) return [sibling.name, sibling.version];
  for (const { dependencies: known = {} } of manifests.values())
    if (known[dependency]) return [dependency, known[dependency]];
  return fail(`no package depends on ${dependency} yet: say which version, as ${dependency}@1.2.3`);
}

function sources() {
  const call = `name${name.replaceAll(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase())}Part`;
  const file = call.replaceAll(/[A-Z]|(?<=[a-z])[0-9]+/g, (part) => `-${part.toLowerCase()}`);
  return {
    'README.md': `# @ashlar/${name}

${sentence}

\`\`\`ts
import { ${call} } from '@ashlar/${name}';

${call}('example'); // => '${name}/example'
\`\`\`
`,
    'src/index.ts': `export { ${call} } from './${file}.ts';\n`,
    [`src/${file}.ts`]: `/**
 * The name that a part of this package has in messages.
 *
 * @param part in kebab case
 * @example
 * ${call}('example'); // ${name}/example
 */
export function ${call}(part: string): string {
  return \`${name}/\${part}\`;
}
`,
    [`src/${file}.test.ts`]: `import { expect, it } from 'vitest';
import { ${call} } from './${file}.ts';

it('names a part after its package', () => {
  expect(${call}('example')).toBe('${name}/example');
});
`,
  };
}

/** The lowest layer above those of the dependencies. */
function layerHint() {
  const { layers } = JSON.parse(readFileSync('layers.json', 'utf8'));
  const lowest = Math.max(
    0,
    ...layers.map((names, i) => (names.some((n) => dependencies.includes(n)) ? i + 1 : 0)),
  );
  return layers[lowest]
    ? `the layer of ${layers[lowest].join(', ')}, or one above it`
    : 'a new layer above all others';
}
