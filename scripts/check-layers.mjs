// Rejects imports that layers.json does not allow: upwards, sideways, of an undeclared dependency, of Node where
// a browser must be supported, or of a program by the library next to it. `node scripts/check-layers.mjs [ROOT]`;
// ROOT contains layers.json and packages/.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sourcesOf } from './sources.mjs';

const root = process.argv[2] ?? '.';
const {
  layers,
  only = {},
  beside = {},
  node = [],
  programs = [],
} = JSON.parse(readFileSync(join(root, 'layers.json'), 'utf8'));
const layerOf = new Map(layers.flatMap((names, i) => names.map((name) => [name, i])));
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s+['"]([^'"]+)['"]/g;

const faults = [];
for (const name of readdirSync(join(root, 'packages'))) {
  if (!layerOf.has(name)) faults.push(`packages/${name} is in no layer`);
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(
    readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
  );
  const declared = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies)]);
  for (const path of sourcesOf(join(root, 'packages', name, 'src'), /\.(ts|mjs)$/)) {
    for (const [, a, b, c] of readFileSync(path, 'utf8').matchAll(IMPORT))
      checkImport(name, path, a ?? b ?? c, declared);
  }
}

function checkImport(from, path, target, declared) {
  if (target.startsWith('.')) {
    checkProgram(path, join(dirname(path), target));
    return;
  }
  if (target.startsWith('node:')) {
    if (!node.includes(from)) faults.push(`${path}: ${from} must run in a browser, it imports ${target}`);
    return;
  }
  const own = /^@ashlar\/([^/]+)/.exec(target)?.[1];
  const dependency = own
    ? `@ashlar/${own}`
    : target
        .split('/')
        .slice(0, target.startsWith('@') ? 2 : 1)
        .join('/');
  if (own !== from && !declared.has(dependency))
    faults.push(`${path}: ${dependency} is not among the dependencies of ${from}`);
  if (own && own !== from && !mayImport(from, own)) faults.push(`${path}: ${from} must not import ${own}`);
}

/** The entry of a program is the file of its name: `command.ts` next to `command/`. */
function checkProgram(path, target) {
  for (const program of programs) {
    const folder = join(root, 'packages', program);
    const isInside = (file) => file.startsWith(`${folder}/`);
    if (isInside(target) && !isInside(path) && path !== `${folder}.ts`)
      faults.push(`${path}: the library must not import the program ${program}`);
  }
}

function mayImport(from, target) {
  if (only[from]) return only[from].includes(target);
  return layerOf.get(target) < layerOf.get(from) || (beside[from] ?? []).includes(target);
}

for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
