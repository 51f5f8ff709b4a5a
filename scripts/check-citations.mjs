// Rejects a citation of the pages in docs/semantics that names no heading, citations that cannot be looked up, and
// pages without an introduction.
// `node scripts/check-citations.mjs [ROOT]`
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = process.argv[2] ?? '.';
const pages = join(root, 'docs/semantics');
const anchors = new Map(
  readdirSync(pages).map((file) => [
    file.replace(/\.md$/, ''),
    anchorsOf(readFileSync(join(pages, file), 'utf8')),
  ]),
);
/** `semantics/access#rbac`, and more headings of the same page after it: `, #jwt`. */
const CITATION = /\bsemantics\/([\w-]+)((?:#[\w-]+(?:,\s+(?:\*\s+)?(?=#))?)*)/g;
/** The same page or another one, from inside the pages. */
const LINK = /\]\((?:([\w-]+)\.md)?#([\w-]+)\)/g;
const LETTERS = /\bsemantics,?\s+[A-N]\d*\b|\b(?:specification|ruling)\s+\d+\b/g;
/** In the pages themselves: rows and rules of documents that are not in the repository. */
const OUTSIDE = /\b(?:specification|ruling) (?:row )?\d+|\b(?:[Ss]ee|step|Errors:) [A-N]\d+\b/g;
const INTRODUCTION = /^# .+\n\n\w/;
const CHECKED = /\.(ts|mjs|md|json)$/;
const PASSED_OVER =
  /^(package-lock\.json|conformance\/(trace|oracles|objects|cel|kubectl|workloads|projects)\/)/;

const faults = [];
for (const file of trackedFiles()) {
  if (!CHECKED.test(file) || PASSED_OVER.test(file) || !existsSync(join(root, file))) continue;
  const text = readFileSync(join(root, file), 'utf8');
  if (file.startsWith('docs/semantics/')) checkLinks(file, text);
  else checkCitations(file, text);
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

function trackedFiles() {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
  return execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
}

function checkCitations(file, text) {
  for (const { 0: cited, 1: page, 2: headings, index } of text.matchAll(CITATION)) {
    if (/[/.]$/.test(text.slice(Math.max(0, index - 1), index))) continue;
    const known = anchors.get(page);
    if (!known) fault(file, text, index, `there is no page docs/semantics/${page}.md`);
    for (const [, anchor] of known ? headings.matchAll(/#([\w-]+)/g) : [])
      if (!known.has(anchor))
        fault(file, text, index, `${cited}: docs/semantics/${page}.md has no heading #${anchor}`);
  }
  if (file.startsWith('scripts/')) return;
  for (const { 0: cited, index } of text.matchAll(LETTERS))
    fault(file, text, index, `"${cited}" names no page; cite a page and a heading of docs/semantics`);
}

function checkLinks(file, text) {
  const own = file.slice('docs/semantics/'.length, -'.md'.length);
  for (const { 1: page = own, 2: anchor, index } of text.matchAll(LINK))
    if (!anchors.get(page)?.has(anchor)) fault(file, text, index, `${page}.md has no heading #${anchor}`);
  for (const { 0: cited, index } of text.matchAll(OUTSIDE))
    fault(file, text, index, `"${cited}" is not in the repository; link to a heading`);
  if (!INTRODUCTION.test(text)) fault(file, text, 0, 'the page begins without an introduction');
}

function fault(file, text, index, why) {
  faults.push(`${file}:${text.slice(0, index).split('\n').length}: ${why}`);
}

/** The anchors of headings in rendered pages. */
function anchorsOf(text) {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}
