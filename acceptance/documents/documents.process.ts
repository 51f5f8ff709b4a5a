import { spawnSync } from 'node:child_process';
import {
  existsSync,
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
import { format } from 'node:util';
import { parseAst } from 'vite';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RunningExample, startExample } from '../../examples/start-example.ts';
import { type ResultChecks, withCheckedResults } from './checked-results.fixture.ts';
import {
  type DocumentModule,
  documentBlocks,
  documentModules,
  transcriptSteps,
} from './document-blocks.fixture.ts';

// Everything in documents is run: blocks of ts with their results, and transcripts of shells against the
// server of the document.

// processes are started, also on busy machines
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = [
  'README.md',
  'docs/guide.md',
  ...readdirSync(join(root, 'packages'))
    .filter((name) => existsSync(join(root, 'packages', name, 'src/index.ts')))
    .map((name) => `packages/${name}/README.md`),
];
/** The module that transcripts use. */
const SERVER = 'server.ts';
const hasKubectl = spawnSync('bash', ['-c', 'command -v kubectl']).status === 0;

const results: ResultChecks = {
  value: (line, actual, expected) => expect(actual, `line ${line}`).toEqual(expected),
  printed: (line, values, expected) => expect(format(...values), `line ${line}`).toBe(expected),
  throws: (line, call, expected) =>
    expect(call(), `line ${line}`).rejects.toMatchObject({ message: expected }),
};
Object.assign(globalThis, { documentedResults: results });

// like a reader's own folder: the packages are resolved, nothing else is
const folder = mkdtempSync(join(tmpdir(), 'documents-'));
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a document's modules, unchanged and with checks; returns the two folders. */
function layOut(name: string, modules: readonly DocumentModule[]): { plain: string; checked: string } {
  const place = { plain: join(folder, 'plain', name), checked: join(folder, 'checked', name) };
  for (const path of Object.values(place)) mkdirSync(path, { recursive: true });
  for (const { file, text } of modules) {
    writeFileSync(join(place.plain, file), `${text}\nexport {};\n`);
    const parse = (source: string) => parseAst(source, { lang: 'ts' });
    writeFileSync(
      join(place.checked, file),
      withCheckedResults(text, '(globalThis as any).documentedResults', parse),
    );
  }
  return place;
}

describe.each(documents)('%s', (name) => {
  const blocks = documentBlocks(readFileSync(join(root, name), 'utf8'));
  const modules = documentModules(blocks);
  const { plain, checked } = layOut(name, modules);
  for (const { mark, text } of blocks.filter(({ language }) => language !== 'ts')) {
    const [, file] = /^file=([\w.-]+)$/.exec(mark) ?? [];
    if (file !== undefined) writeFileSync(join(plain, file), `${text}\n`);
  }
  const transcripts = blocks.filter(({ language }) => language === 'console');
  const served = transcripts.length > 0;
  // without kubectl its output cannot be compared, nor later output
  const shown = hasKubectl || transcripts.every(({ text }) => !text.includes('kubectl'));

  for (const { file, line } of modules.filter(runs)) {
    const load = (): Promise<unknown> => import(pathToFileURL(join(checked, file)).href);
    if (file.endsWith('.test.ts')) describe(file, load as () => Promise<void>);
    else if (!(served && file === SERVER))
      test(`the module of line ${line} runs`, async () => {
        using _silent = vi.spyOn(console, 'log').mockImplementation(() => {});
        await load();
      });
  }

  describe.runIf(served)('transcripts', () => {
    let server: RunningExample;
    beforeAll(async () => {
      server = await startExample(pathToFileURL(join(plain, SERVER)));
    });
    afterAll(() => server[Symbol.asyncDispose]());

    for (const { line, command, output } of transcripts.flatMap(transcriptSteps)) {
      test.skipIf(!shown)(`line ${line}: ${command}`, () => {
        const env = { ...process.env, HOME: folder, KUBECONFIG: '', SERVER: server.url };
        const ran = spawnSync('bash', ['-c', `exec 2>&1; ${command}`], { cwd: plain, env, encoding: 'utf8' });
        expect(ran.stdout.replace(/[ \t]+$/gm, '').trimEnd()).toMatch(transcriptPattern(output));
      });
    }
  });
});

const runs = ({ notRun }: DocumentModule): boolean => notRun === undefined;

/** Compares the output of a transcript, where `…` stands for anything on a line. */
function transcriptPattern(output: string): RegExp {
  const parts = output.trimEnd().split('…');
  return new RegExp(`^${parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*')}$`);
}

test('every README says what its package is for, with code', () => {
  const silent = documents.filter((name) => {
    const text = readFileSync(join(root, name), 'utf8');
    return documentModules(documentBlocks(text)).length === 0;
  });
  expect(silent).toEqual([]);
});

test('the modules of all documents type-check', () => {
  const conditions = process.env.ASHLAR_DIST ? [] : ['@ashlar/source'];
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        customConditions: conditions,
        isolatedDeclarations: false,
        declaration: false,
        incremental: false,
        tsBuildInfoFile: null,
      },
      include: ['plain'],
    }),
  );
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(tsc, ['-p', 'tsconfig.json'], { cwd: folder, encoding: 'utf8' });
  const faults = stdout.split('\n').filter((line) => line.includes(': error TS') && !line.startsWith('../'));
  expect(faults).toEqual([]);
});
