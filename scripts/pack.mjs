// Packs the built packages into a folder, for projects outside of this repository: node scripts/pack.mjs [FOLDER]
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(process.argv[2] ?? 'tarballs');
mkdirSync(folder, { recursive: true });
for (const name of readdirSync('packages'))
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
    cwd: join('packages', name),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
console.log(`packed: npm install zod ${join(folder, '*.tgz')}`);
