// Rejects import cycles between the files of a package, including type imports. Two files that truly call each
// other contain a line `// Mutual recursion: why`. `node scripts/check-circles.mjs [ROOT]`; ROOT contains packages/.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sourcesOf } from './sources.mjs';

const root = process.argv[2] ?? '.';
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s+['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]\s*\)/g;
const MUTUAL = /^\s*(?:\/\/|\*) Mutual recursion: \S/m;

const circles = [];
for (const name of readdirSync(join(root, 'packages')))
  circles.push(...circlesOf(importsOf(join(root, 'packages', name, 'src'))));
for (const files of circles)
  console.error(`these files import each other in a circle:\n  ${files.join('\n  ')}`);
process.exitCode = circles.length === 0 ? 0 : 1;

/** The files that each file of a folder imports, except those with a declared mutual recursion. */
function importsOf(folder) {
  const texts = new Map(sourcesOf(folder).map((path) => [path, readFileSync(path, 'utf8')]));
  const imports = new Map();
  for (const [path, text] of texts) {
    const targets = [...text.matchAll(IMPORT)].map(([, a, b]) => join(dirname(path), a ?? b));
    imports.set(path, new Set(targets.filter((target) => texts.has(target))));
  }
  const isMutual = (a, b) =>
    imports.get(a).has(b) &&
    imports.get(b).has(a) &&
    (MUTUAL.test(texts.get(a)) || MUTUAL.test(texts.get(b)));
  return new Map(
    [...imports].map(([path, targets]) => [path, [...targets].filter((target) => !isMutual(path, target))]),
  );
}

/** Strongly connected components of more than one file, by Tarjan's algorithm. */
function circlesOf(imports) {
  const order = new Map();
  const lowest = new Map();
  const stack = [];
  const found = [];
  const visit = (path) => {
    order.set(path, order.size);
    lowest.set(path, order.get(path));
    stack.push(path);
    for (const target of imports.get(path)) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) lowest.set(path, Math.min(lowest.get(path), lowest.get(target)));
    }
    if (lowest.get(path) !== order.get(path)) return;
    const component = stack.splice(stack.indexOf(path));
    if (component.length > 1) found.push(component.sort());
  };
  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return found;
}
