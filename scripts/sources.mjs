// Which files belong to a package, shared by the checks and the tests.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Tests and fixtures, which are not part of the package. */
export const TEST = /\.(test|test-d|bench|process|long|fixture)\.ts$/;

/** Paths of the source files below a folder, without tests and fixtures; none if the folder does not exist. */
export function sourcesOf(folder, ending = /\.ts$/) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file) && !TEST.test(file))
    .map((file) => join(folder, file));
}

/** Whether everything is built, after the last change of a source. */
export function isBuildCurrent() {
  const packages = readdirSync('packages').map((name) => `packages/${name}`);
  const sources = packages.flatMap((folder) => sourcesOf(`${folder}/src`));
  const built = packages
    .filter((folder) => existsSync(`${folder}/src/index.ts`))
    .map((folder) => `${folder}/dist/index.js`);
  return Math.max(...sources.map(changedAt)) < Math.min(...[...built, COMMAND].map(changedAt));
}

const COMMAND = 'packages/server/dist/bundle/ashlar.cjs';

/** 0 for a file that does not exist. */
const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
