// Rejects large folders, of more than thirty source files without tests, and folders of packages that
// docs/architecture.md does not name.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEST } from './sources.mjs';

const MAXIMUM_FILES = 30;

const architecture = readFileSync('docs/architecture.md', 'utf8');
const crowded = [];
for (const root of ['packages', 'acceptance', 'bench', 'conformance', 'examples', 'scripts'])
  if (existsSync(root)) visit(root);
for (const { folder, count } of crowded)
  console.error(`${folder} holds ${count} source files; group them in folders of at most ${MAXIMUM_FILES}`);
const unnamed = foldersOfPackages().filter(([, folder]) => !isNamed(folder));
for (const [name, folder] of unnamed)
  console.error(
    `packages/${name}/src/${folder} is not named in docs/architecture.md: add it to the table of folders`,
  );
process.exitCode = crowded.length + unnamed.length === 0 ? 0 : 1;

function foldersOfPackages() {
  return readdirSync('packages').flatMap((name) =>
    readdirSync(join('packages', name, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => [name, entry.name]),
  );
}

/** As `folder`, or as part of a path in backquotes. */
function isNamed(folder) {
  return new RegExp(`[\`/]${folder}[\`/]`).test(architecture);
}

function visit(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const isSuite = entries.every(({ name }) => !name.endsWith('.ts') || TEST.test(name));
  const counts = ({ name }) =>
    /\.(ts|mjs)$/.test(name) && (isSuite ? /\.(test|process|long)\.ts$/.test(name) : !TEST.test(name));
  const count = entries.filter((entry) => entry.isFile() && counts(entry)).length;
  if (count > MAXIMUM_FILES) crowded.push({ folder, count });
  for (const entry of entries)
    if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== 'dist')
      visit(join(folder, entry.name));
}
