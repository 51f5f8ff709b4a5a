import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const packages = readdirSync(join(root, 'packages'));
/** Not published. */
const TEST = /\.(test|test-d|fixture|bench|process)\.ts$/;

function* sources(): Generator<{ readonly path: string; readonly text: string }> {
  for (const name of packages) {
    for (const file of readdirSync(join(root, 'packages', name, 'src'), {
      recursive: true,
      encoding: 'utf8',
    })) {
      const path = `packages/${name}/src/${file}`;
      if (file.endsWith('.ts') && !TEST.test(file))
        yield { path, text: readFileSync(join(root, path), 'utf8') };
    }
  }
}

const TOKEN = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
const VENDOR = /kubernetes|k8s|(?<![a-z])orch(?![a-z])/i;

/** Strings and templates in a text, without those in comments. */
function vendorLiterals(text: string): readonly string[] {
  return [...text.matchAll(TOKEN)]
    .map(([token]) => token)
    .filter(
      (token) => !token.startsWith('/') && VENDOR.test(token.replaceAll(/(kubernetes|orch)Vocabulary/g, '')),
    );
}

describe('names of vendors', () => {
  it('are distinguished from other words', () => {
    expect(
      vendorLiterals(
        `const a = 'orch.io'; // 'k8s.io'\n/* "kubernetes" */ const b = \`x-\${orchVocabulary.name}\`;`,
      ),
    ).toEqual(["'orch.io'"]);
    expect(vendorLiterals(`'orchestra' + 'torch' + "orchctl"`)).toEqual([]);
    for (const literal of ["'x-orch-'", '"Kubernetes"', '`a.k8s.io`', "'ORCH_EXEC_INFO'"])
      expect(vendorLiterals(`f(${literal})`)).toEqual([literal]);
  });

  it('appear only in the vocabulary of core', () => {
    const found = [...sources()]
      .filter(({ path }) => path !== 'packages/core/src/contracts/vocabulary.ts')
      .flatMap(({ path, text }) => vendorLiterals(text).map((literal) => `${path}: ${literal}`));
    expect(found).toEqual([]);
  });
});

const copy = mkdtempSync(join(tmpdir(), 'repository-'));
afterAll(() => rmSync(copy, { recursive: true }));
cpSync(join(root, 'layers.json'), join(copy, 'layers.json'));
for (const name of packages) {
  mkdirSync(join(copy, 'packages', name), { recursive: true });
  for (const part of ['package.json', 'src'])
    cpSync(join(root, 'packages', name, part), join(copy, 'packages', name, part), { recursive: true });
}

/** Runs one of the scripts of `npm run check` over the copy. */
function checkCopy(script: string): { readonly status: number | null; readonly faults: string } {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', script), copy], {
    encoding: 'utf8',
  });
  return { status, faults: stderr };
}

describe('layers', () => {
  const check = (): ReturnType<typeof checkCopy> => checkCopy('check-layers.mjs');

  it('are respected', () => {
    expect(check()).toEqual({ status: 0, faults: '' });
  });

  it.each([
    ['core', "import { createApiServer } from '@ashlar/server';", 'core must not import server'],
    ['storage', "export { encodeJson } from '@ashlar/codec';", 'storage must not import codec'],
    ['client', "const { ApiCatalog } = await import('@ashlar/http');", 'client must not import http'],
    ['http', "import { readFileSync } from 'node:fs';", 'http must run in a browser, it imports node:fs'],
    ['patch', "import { parse } from 'yaml';", 'yaml is not among the dependencies of patch'],
    ['registry', "import type {\n  A,\n} from '@ashlar/http';", 'registry must not import http'],
    [
      'server',
      "import { runCommand } from './command/command.ts';",
      'the library must not import the program server/src/command',
    ],
  ])('reject a forbidden import of %s', (name, line, fault) => {
    const planted = join(copy, 'packages', name, 'src/planted.ts');
    writeFileSync(planted, `${line}\n`);
    const { status, faults } = check();
    rmSync(planted);
    expect([status, faults]).toEqual([1, expect.stringContaining(`planted.ts: ${fault}`)]);
  });

  it('reject a package without a layer', () => {
    const unlisted = join(copy, 'packages/unlisted');
    mkdirSync(unlisted);
    writeFileSync(join(unlisted, 'package.json'), '{}');
    const { status, faults } = check();
    rmSync(unlisted, { recursive: true });
    expect([status, faults]).toEqual([1, 'packages/unlisted is in no layer\n']);
  });
});

describe('exports of core', () => {
  const index = join(copy, 'packages/core/src/index.ts');
  const text = readFileSync(index, 'utf8');
  for (const name of ['acceptance', 'bench', 'conformance', 'examples'])
    symlinkSync(join(root, name), join(copy, name));

  it('are used by more than one package', () => {
    expect(checkCopy('check-core-exports.mjs')).toEqual({ status: 0, faults: '' });
  });

  it.each([
    ['no package', "export { unused } from './planted.ts';", 'unused is used only by core itself'],
    ['one package', "export { planted } from './planted.ts';", 'core/src/planted.ts is used only by patch'],
  ])('are rejected if they are used by %s', (_, line, fault) => {
    const user = join(copy, 'packages/patch/src/planted.ts');
    writeFileSync(index, `${text}${line}\n`);
    writeFileSync(user, "import { planted } from '@ashlar/core';\n");
    const { status, faults } = checkCopy('check-core-exports.mjs');
    writeFileSync(index, text);
    rmSync(user);
    expect([status, faults]).toEqual([1, expect.stringContaining(fault)]);
  });
});
