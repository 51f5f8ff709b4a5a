// Rejects exports of `core` that need not be there: a subject (a file) that only one package uses belongs to that
// package, and a function that nothing outside of core uses is not exported. `node scripts/check-core-exports.mjs [ROOT]`.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sourcesOf } from './sources.mjs';

/** Subjects that are exported for hosts, and why; recorded responses or examples test them. */
const FOR_HOSTS = {
  './objects/owner-reference.ts': 'a controller of a host writes owner references',
  './json/json-pointer.ts': 'a host follows the pointers of patches and of OpenAPI documents (RFC 6901)',
  './values/int-or-string.ts': 'types of a host have such fields, and controllers scale them',
  './contracts/outgoing-call.ts': 'RefusedCallError is caught by callers of callOut',
};

const root = process.argv[2] ?? '.';
const source = join(root, 'packages/core/src');
const LIST = /export\s+(type\s+)?\{([^}]*)\}\s*from\s*'([^']+)'/g;
const IMPORT = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'@ashlar\/core'/g;
const RELATIVE = /\bfrom\s+'(\.[^']+)'/g;

const exported = new Map();
for (const [, type, names, file] of readFileSync(join(source, 'index.ts'), 'utf8').matchAll(LIST))
  for (const name of listed(names))
    exported.set(plain(name), { file, isType: Boolean(type) || name.startsWith('type '), users: new Set() });

for (const name of readdirSync(join(root, 'packages')))
  if (name !== 'core') countUsers(name, sourcesOf(join(root, 'packages', name, 'src')));
for (const name of ['acceptance', 'bench', 'conformance', 'examples'])
  countUsers(
    `/${name}`,
    sourcesOf(join(root, name)).filter((path) => !path.includes('node_modules')),
  );

const faults = [...exported]
  .filter(([, { file, isType, users }]) => !isType && users.size === 0 && !(file in FOR_HOSTS))
  .map(([name]) => `${name} is used only by core itself: it need not be exported`);
const inCore = filesThatCoreImports();
for (const file of new Set([...exported.values()].map((each) => each.file))) {
  const packages = usersOf(file);
  if (file in FOR_HOSTS || inCore.has(join(source, file)) || packages.length > 1) continue;
  faults.push(`core/src/${file.slice(2)} is used only by ${packages[0] ?? 'no package'}: move it there`);
}
for (const file of Object.keys(FOR_HOSTS))
  if (![...exported.values()].some((each) => each.file === file))
    faults.push(`FOR_HOSTS names ${file}, from which core exports nothing`);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

function countUsers(user, paths) {
  for (const path of paths)
    for (const [, names] of readFileSync(path, 'utf8').matchAll(IMPORT))
      for (const name of listed(names)) exported.get(plain(name))?.users.add(user);
}

/** The packages that use an export of a file; the folders beside them do not count. */
function usersOf(file) {
  const all = [...exported.values()].filter((each) => each.file === file).flatMap(({ users }) => [...users]);
  return [...new Set(all)].filter((user) => !user.startsWith('/'));
}

function filesThatCoreImports() {
  const found = new Set();
  for (const path of sourcesOf(source)) {
    if (path === join(source, 'index.ts')) continue;
    for (const [, target] of readFileSync(path, 'utf8').matchAll(RELATIVE))
      found.add(join(dirname(path), target));
  }
  return found;
}

function listed(names) {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

function plain(name) {
  return name.replace(/^type /, '').split(' as ')[0];
}
