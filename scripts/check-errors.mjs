// Rejects error classes that callers cannot recognise: an exported class without a code of its own, a code that
// docs/errors.md lacks or describes wrongly, and `instanceof` with a class of another package, which fails if that
// package is installed twice.
// `node scripts/check-errors.mjs [ROOT]`; ROOT contains packages/ and docs/errors.md.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { TEST } from './sources.mjs';

const root = process.argv[2] ?? '.';
const PAGE = 'docs/errors.md';
const ROW = /^\| `([^`]+)` +\| `([^`]+)` +\| `([^`]+)` +\| (\S.*) \|$/gm;
const BUILT_IN = ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'AggregateError'];

const faults = [];
const modules = ['packages', 'acceptance', 'bench', 'conformance', 'examples'].flatMap((folder) => [
  ...sources(folder),
]);
const classes = modules.filter(({ path }) => !TEST.test(path)).flatMap(classesOf);
const names = errorNames();
const errors = classes.filter(({ name }) => names.has(name));
const entries = new Map(
  [...new Set(errors.map(({ owner }) => owner))].map((owner) => [owner, entryNames(owner)]),
);
const exported = errors.filter(({ name, owner }) => entries.get(owner).has(name));

for (const error of exported) checkCode(error);
for (const { path, name, owner, code } of errors)
  if (code !== undefined && !entries.get(owner).has(name))
    faults.push(`${path}: ${name} has a code and is not exported`);
checkPage();
for (const module of modules) checkComparisons(module);
if (exported.length === 0) faults.push('no error class was found: the check looks in the wrong place');
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

function* sources(folder) {
  if (!existsSync(join(root, folder))) return;
  for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || /(^|\/)(node_modules|dist)\//.test(file)) continue;
    const path = `${folder}/${file}`;
    const text = readFileSync(join(root, path), 'utf8');
    if (/\bclass\b|\binstanceof\b/.test(text)) yield { path, text, program: parse(path, text) };
  }
}

function parse(path, text) {
  const { program, errors: mistakes } = parseSync(path, text);
  if (mistakes.length > 0) throw new Error(`${path}: ${mistakes[0].message}`);
  return program;
}

/** The classes of a module that extend another, with the code that each has itself. */
function classesOf({ path, program }) {
  const [, owner] = /^packages\/([^/]+)\/src\//.exec(path) ?? [];
  const found = [];
  const add = ({ id, superClass, body }) => {
    if (owner === undefined || !id || superClass?.type !== 'Identifier') return;
    const code = body.body.find((member) => member.static && member.key?.name === 'code');
    found.push({ path, owner, name: id.name, base: superClass.name, code: code?.value?.value });
  };
  new Visitor({ ClassDeclaration: add, ClassExpression: add }).visit(program);
  return found;
}

/** The names of all classes that extend Error, at any distance. */
function errorNames() {
  const found = new Set(BUILT_IN);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { name, base } of classes) if (found.has(base)) found.add(name);
  }
  return found;
}

/** The exports of a package's entry points. */
function entryNames(owner) {
  const { exports } = JSON.parse(readFileSync(join(root, 'packages', owner, 'package.json'), 'utf8'));
  const found = new Set();
  for (const entry of Object.values(exports)) {
    const path = entry['@ashlar/source'];
    if (path === undefined) continue;
    const file = join('packages', owner, path);
    for (const node of parse(file, readFileSync(join(root, file), 'utf8')).body) {
      if (node.type === 'ExportAllDeclaration') faults.push(`${file}: name what is exported`);
      for (const { local } of node.specifiers ?? []) found.add(local.name);
    }
  }
  return found;
}

function checkCode({ path, name, code }) {
  const words = name.replace(/Error$/, '').replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_');
  const expected = `ERR_${words.toUpperCase()}`;
  // CodedError itself is never thrown
  if (name !== 'CodedError' && code !== expected)
    faults.push(`${path}: ${name} must have \`static readonly code = '${expected}'\``);
}

/** The table lists for each code its class and package, and when it is thrown. */
function checkPage() {
  const rows = [...readFileSync(join(root, PAGE), 'utf8').matchAll(ROW)].map(([, ...cells]) => cells);
  const listed = new Set(rows.map(([code, name, owner]) => `${code} ${name} ${owner}`));
  if (listed.size !== rows.length) faults.push(`${PAGE}: a row stands twice`);
  const written = new Set(
    exported
      .filter(({ name }) => name !== 'CodedError')
      .map(({ code, name, owner }) => `${code} ${name} @ashlar/${owner}`),
  );
  for (const row of written) if (!listed.has(row)) faults.push(`${PAGE} lacks ${row}`);
  for (const row of listed) if (!written.has(row)) faults.push(`${PAGE} lists ${row}, which is not so`);
}

function checkComparisons({ path, text, program }) {
  const imported = new Map();
  for (const { type, source, specifiers = [] } of program.body) {
    if (type !== 'ImportDeclaration' || !source.value.startsWith('@ashlar/')) continue;
    for (const { imported: original, local } of specifiers)
      if (original) imported.set(local.name, original.name);
  }
  new Visitor({
    BinaryExpression: ({ operator, right, start }) => {
      const name = operator === 'instanceof' ? imported.get(right.name) : undefined;
      // programs of this repository have one copy of each package
      const isTwice = name !== undefined && path.startsWith('packages/');
      if (isTwice || exported.some((error) => error.name === name))
        faults.push(`${path}:${lineOf(text, start)}: write ${right.name}.is(…) instead of instanceof`);
    },
  }).visit(program);
}

function lineOf(text, offset) {
  return text.slice(0, offset).split('\n').length;
}
