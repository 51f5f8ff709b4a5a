// Rejects large folders: more than thirty source files, not counting tests.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TEST } from './sources.mjs';

const MAXIMUM_FILES = 30;

const crowded = [];
for (const root of ['packages', 'acceptance', 'bench', 'conformance', 'examples', 'scripts'])
  if (existsSync(root)) visit(root);
for (const { folder, count } of crowded)
  console.error(`${folder} holds ${count} source files; group them in folders of at most ${MAXIMUM_FILES}`);
process.exitCode = crowded.length === 0 ? 0 : 1;

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
