// Bundles the command with all its libraries into one file, of which Node can keep the compiled code, and writes the licences of these libraries
// beside it: node scripts/bundle-command.mjs. Then the command compiles itself for the Node that runs this.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const FOLDER = 'packages/server/dist/bundle';
const SOURCE = 'packages/server/src/command.ts';
/** The function that `loadProgram` in packages/server/src/launch calls. */
const WRAPPER = ['(function (exports, require, module, __filename, __dirname) {', '})'];

const { outputFiles, metafile } = await build({
  entryPoints: [SOURCE],
  outdir: FOLDER,
  bundle: true,
  write: false,
  metafile: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  conditions: ['@ashlar/source'],
  banner: { js: `${WRAPPER[0]}const importMetaUrl = require('node:url').pathToFileURL(__filename).href;` },
  footer: { js: WRAPPER[1] },
  define: { 'import.meta.url': 'importMetaUrl' },
  // beside the bundle there is nothing to import
  supported: { 'dynamic-import': false },
  legalComments: 'none',
  logLevel: 'warning',
});
const [{ text }] = outputFiles;
// Read as Latin-1, it is read faster and takes half of the memory. esbuild escapes strings; what remains is in comments and regular expressions
const ascii = text.replace(
  /[\u0080-\uffff]/g,
  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

mkdirSync(FOLDER, { recursive: true });
writeFileSync(`${FOLDER}/ashlar.cjs`, ascii);
writeFileSync(`${FOLDER}/LICENSES.txt`, licences(metafile));
try {
  execFileSync(process.execPath, ['packages/server/bin/ashlar.mjs', 'prepare'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
} catch {
  console.warn('the command could not be compiled ahead: its first start will do that');
}

/** The licences of all libraries in the bundle. */
function licences({ inputs }) {
  const folders = new Set();
  for (const input of Object.keys(inputs)) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (folder) folders.add(folder);
  }
  const texts = [...folders].sort().map(licence);
  return `The file ashlar.cjs contains these libraries.\n\n${texts.join('\n')}`;
}

function licence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each));
  if (!file && !/Apache-2\.0|MIT|ISC|BSD/.test(license))
    throw new Error(`${name} has no licence that is known`);
  const text = file ? readFileSync(`${folder}/${file}`, 'utf8') : '';
  return `---- ${name} ${version}: ${license}\n\n${text.trim()}\n`;
}
