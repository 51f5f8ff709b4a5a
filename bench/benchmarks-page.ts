import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, '../docs/benchmarks.md');

/**
 * Writes the result of a bench into docs/benchmarks.md, between the comments `<!-- NAME -->` and `<!-- /NAME -->`, with the commit that was
 * measured. The page holds no figure of a bench that can write it that was written by hand.
 * @throws TypeError if the page has no such section
 */
export function writeSection(name: string, table: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new TypeError(`docs/benchmarks.md has no section "${name}"`);
  const section = `${begin}${table}\n\nMeasured at ${measuredCommit()}.\n`;
  writeFileSync(PAGE, page.slice(0, from) + section + page.slice(to));
}

function measuredCommit(): string {
  const git = (...parameters: string[]): string =>
    execFileSync('git', parameters, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  const isClean = git('status', '--porcelain', '--', '../packages') === '';
  return `commit ${git('rev-parse', '--short', 'HEAD')}${isClean ? '' : ', with changes'}`;
}
