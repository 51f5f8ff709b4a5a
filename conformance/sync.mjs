// Copies the data of our tests from the shared folder: `node conformance/sync.mjs ../shared`. Data only;
// nothing is edited.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const shared = process.argv[2];
if (!shared || !existsSync(join(shared, 'conformance'))) {
  console.error('usage: node conformance/sync.mjs SHARED_FOLDER');
  process.exit(2);
}

const FOLDERS = ['trace', 'webhooks', 'aggregation', 'audit', 'flow', 'kubectl', 'oracles', 'objects', 'cel'];
for (const folder of FOLDERS) {
  rmSync(join(here, folder), { recursive: true, force: true });
  mkdirSync(join(here, folder));
  cpSync(join(shared, 'conformance', folder), join(here, folder), { recursive: true, mode: 0 });
}
cpSync(join(shared, 'conformance', 'with-server.sh'), join(here, 'with-server.sh'));

// Only numbers and sections of the specification's statements; the tests are written here.
const known = existsSync(join(here, 'clauses.json'))
  ? JSON.parse(readFileSync(join(here, 'clauses.json'), 'utf8'))
  : [];
const tests = new Map(known.map(({ id, tests: held }) => [id, held]));
const statements = JSON.parse(readFileSync(join(shared, 'spec', 'clauses.json'), 'utf8'));
const clauses = statements.map(({ id, section }) =>
  JSON.stringify({ id, section, tests: tests.get(id) ?? [] }),
);
writeFileSync(join(here, 'clauses.json'), `[\n${clauses.join(',\n')}\n]\n`);
