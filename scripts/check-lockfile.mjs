// Rejects a lock file without optional packages of a platform (npm ci would fail there) or with download
// URLs.
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

/** Whether a package would find a dependency, resolved upwards as by Node. */
function isLocked(from, dependency) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${dependency}`]) return true;
    if (at === '') return false;
  }
}

const faults = [];
for (const [path, { optionalDependencies = {}, resolved = '' }] of Object.entries(packages)) {
  if (resolved.startsWith('http')) faults.push(`${path} names a download address`);
  for (const name of Object.keys(optionalDependencies))
    if (!isLocked(path, name)) faults.push(`${path} lacks ${name}`);
}
for (const fault of faults) console.error(`package-lock.json: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
