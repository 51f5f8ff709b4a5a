import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../scripts/check-errors.mjs', import.meta.url));
const manifest = JSON.stringify({ exports: { '.': { '@ashlar/source': './src/index.ts' } } });
const LIMIT = `export class LimitError extends Error { static readonly code: string = 'ERR_LIMIT'; }`;
const ROW = '| `ERR_LIMIT` | `LimitError` | `@ashlar/a` | Too many. |';

/** Two packages, one of which has an error that satisfies every rule. */
const sound: Readonly<Record<string, string>> = {
  'packages/a/package.json': manifest,
  'packages/a/src/index.ts': `export { LimitError } from './limit.ts';`,
  'packages/a/src/limit.ts': LIMIT,
  'packages/b/package.json': manifest,
  'packages/b/src/index.ts': `export { isLimit } from './b.ts';`,
  'packages/b/src/b.ts': `import { LimitError } from '@ashlar/a';\nexport const isLimit = (e: unknown) => e instanceof Error;`,
  'docs/errors.md': `${ROW}\n`,
};

describe('the codes of errors', () => {
  const root = mkdtempSync(join(tmpdir(), 'errors-'));
  afterEach(() => rmSync(root, { recursive: true }));

  function check(changed: Readonly<Record<string, string>>): readonly [number | null, string] {
    for (const [path, text] of Object.entries({ ...sound, ...changed })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
    return [status, stderr];
  }

  it('are accepted if they satisfy every rule', () => {
    expect(check({})).toEqual([0, '']);
  });

  it.each([
    [
      'an exported class without one',
      { 'packages/a/src/limit.ts': 'export class LimitError extends Error {}' },
      `LimitError must have \`static readonly code = 'ERR_LIMIT'\``,
    ],
    [
      'one that extends another and has none of its own',
      {
        'packages/b/src/index.ts': `export { Deep } from './b.ts';`,
        'packages/b/src/b.ts': `import { LimitError } from '@ashlar/a';\nexport class Deep extends LimitError {}`,
      },
      `Deep must have \`static readonly code = 'ERR_DEEP'\``,
    ],
    [
      'one with a code that nobody can import',
      {
        'packages/a/src/other.ts': `export class OtherError extends Error { static readonly code = 'ERR_OTHER'; }`,
      },
      'OtherError has a code and is not exported',
    ],
    ['one that the page lacks', { 'docs/errors.md': '' }, 'lacks ERR_LIMIT LimitError @ashlar/a'],
    [
      'a row without a class',
      { 'docs/errors.md': `${ROW}\n${ROW.replaceAll('LIMIT', 'GONE')}\n` },
      'lists ERR_GONE LimitError @ashlar/a, which is not so',
    ],
    [
      'instanceof with a class of another package',
      {
        'packages/b/src/b.ts': `import { LimitError as L } from '@ashlar/a';\nexport const isLimit = (e: unknown) => e instanceof L;`,
      },
      'packages/b/src/b.ts:2: write L.is(…) instead of instanceof',
    ],
    [
      'instanceof with a class of another package that is no error',
      {
        'packages/b/src/b.ts': `import { Thing } from '@ashlar/a';\nexport const isThing = (value: unknown) => value instanceof Thing;`,
      },
      'packages/b/src/b.ts:2: write Thing.is(…) instead of instanceof',
    ],
  ])('reject %s', (_, changed, fault) => {
    expect(check(changed)).toEqual([1, expect.stringContaining(fault)]);
  });
});
