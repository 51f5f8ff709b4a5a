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
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseAst } from 'vite';
import { afterAll, describe, expect, it } from 'vitest';
import { type ResultChecks, withCheckedResults } from './documents/checked-results.fixture.ts';
import { documentBlocks, documentModules } from './documents/document-blocks.fixture.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'new-package-'));
afterAll(() => rmSync(copy, { recursive: true }));
cpSync(join(root, 'layers.json'), join(copy, 'layers.json'));
for (const name of readdirSync(join(root, 'packages'))) {
  mkdirSync(join(copy, 'packages', name), { recursive: true });
  cpSync(join(root, 'packages', name, 'package.json'), join(copy, 'packages', name, 'package.json'));
}

const run = (
  script: string,
  ...values: string[]
): { readonly status: number | null; readonly output: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts', script), ...values], {
    cwd: copy,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
};
const read = (path: string): string => readFileSync(join(copy, 'packages', path), 'utf8');
const manifestOf = (name: string): Record<string, unknown> => JSON.parse(read(`${name}/package.json`));

describe('a new package', () => {
  const made = run(
    'new-package.mjs',
    'rate-limits',
    'How often callers may ask',
    'storage',
    'lru-cache',
    'left@1.2.3',
  );

  it('lists the remaining steps', () => {
    expect(made).toEqual({
      status: 0,
      output: expect.stringContaining(
        'layers.json: put "rate-limits" into the layer of storage-sqlite, storage-etcd, storage-postgres, watch-cache, field-manager, cel, or one',
      ),
    });
  });

  it('has the manifest of the others', () => {
    const [own, other] = [manifestOf('rate-limits'), manifestOf('patch')];
    expect(Object.keys(own)).toEqual(Object.keys(other));
    for (const same of ['version', 'engines', 'files', 'exports', 'license', 'publishConfig'])
      expect([same, own[same]]).toEqual([same, other[same]]);
    expect(own.scripts).toEqual({
      test: (other.scripts as { test: string }).test.replace('patch', 'rate-limits'),
    });
  });

  it('uses versions of the manifests of the others', () => {
    const dependencies = manifestOf('authz').dependencies as Record<string, string>;
    expect(manifestOf('rate-limits').dependencies).toEqual({
      '@ashlar/storage': manifestOf('storage').version,
      left: '1.2.3',
      'lru-cache': dependencies['lru-cache'],
    });
  });

  it('belongs to no layer until it is assigned to one', () => {
    expect(run('check-layers.mjs').output).toContain('packages/rate-limits is in no layer');
    const layers = readFileSync(join(copy, 'layers.json'), 'utf8');
    writeFileSync(join(copy, 'layers.json'), layers.replace('"cel"]', '"cel", "rate-limits"]'));
    expect(run('check-layers.mjs')).toEqual({ status: 0, output: '' });
  });

  it('has a running example', async () => {
    mkdirSync(join(copy, 'node_modules/@ashlar'), { recursive: true });
    symlinkSync(join(copy, 'packages/rate-limits'), join(copy, 'node_modules/@ashlar/rate-limits'));
    const seen: unknown[] = [];
    const checks: Pick<ResultChecks, 'value'> = {
      value: (_, actual, expected) => seen.push([actual, expected]),
    };
    Object.assign(globalThis, { newPackageResults: checks });
    const [module] = documentModules(documentBlocks(read('rate-limits/README.md')));
    const parse = (source: string) => parseAst(source, { lang: 'ts' });
    const text = withCheckedResults(module?.text ?? '', '(globalThis as any).newPackageResults', parse);
    writeFileSync(join(copy, 'example.ts'), text);
    await import(/* @vite-ignore */ pathToFileURL(join(copy, 'example.ts')).href);
    expect(seen).toEqual([['rate-limits/example', 'rate-limits/example']]);
  });

  it.each([
    [['rate-limits', 'again'], 'packages/rate-limits exists already'],
    [['Rate', 'job'], 'Rate is not a name such as rate-limits'],
    [
      ['other', 'job', 'unheard-of'],
      'no package depends on unheard-of yet: say which version, as unheard-of@1.2.3',
    ],
    [['other'], 'usage: new-package.mjs NAME JOB [DEPENDENCY[@VERSION]…]'],
  ])('is rejected for %j', (values, message) => {
    expect(run('new-package.mjs', ...values)).toEqual({ status: 2, output: `${message}\n` });
  });
});
