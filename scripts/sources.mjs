// Which files belong to a package, shared by the checks.
import { existsSync, readdirSync } from 'node:fs';
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
