import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../command.ts';

const version = (name: string): string => `
  - name: ${name}
    served: true
    storage: ${name === 'v1'}
    schema:
      openAPIV3Schema:
        type: object
        description: Something useful.
        required: [spec]
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer, minimum: 1, default: 3}
              color: {type: string, enum: [red, blue]}
            oneOf: [{required: [color]}]
          status: {type: object, properties: {ready: {type: boolean}}}
`;
const definition = (...versions: readonly string[]): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:${versions.map(version).join('')}`;

describe('ashlar types', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ashlar-types-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const run = async (...words: readonly string[]) => {
    const [out, error]: [string[], string[]] = [[], []];
    const status = await runCommand(['types', ...words], {
      stdout: (text) => void out.push(text),
      stderr: (text) => void error.push(text.replaceAll(folder, '')),
      signal: new AbortController().signal,
    });
    return { status, out: out.join(''), error: error.join('') };
  };

  it('writes the types of objects', async () => {
    expect(await run(file('widgets.yaml', definition('v1')))).toEqual({
      status: 0,
      error: '',
      out: `import type { ApiObject, ObjectMeta } from '@ashlar/core';

/** Something useful. */
export interface Widget extends ApiObject {
  readonly apiVersion: "example.com/v1";
  readonly kind: "Widget";
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly color?: "red" | "blue";
    readonly size: number;
  };
  readonly status?: {
    readonly ready?: boolean;
  };
}
`,
    });
  });

  it('reads the definitions of one vocabulary', async () => {
    const path = file('widgets.yaml', definition('v1'));
    const runs = await Promise.all(['orch', 'kubernetes'].map((name) => run('--vocabulary', name, path)));
    const verdicts = runs.map(({ status, error }) => [status, error]);
    expect(verdicts).toContainEqual([0, '']);
    expect(verdicts).toContainEqual([
      2,
      expect.stringMatching(
        /^ashlar: .*widgets\.yaml contains no definition of the vocabulary (orch|kubernetes)\n$/,
      ),
    ]);
  });

  it('prints zod schemas of top-level fields, and reports omitted keywords', async () => {
    const { status, out, error } = await run('--zod', file('widgets.yaml', definition('v1')));
    expect([status, error]).toEqual([0, 'Widget spec: oneOf is omitted\n']);
    expect(out).toContain("import { z } from 'zod';\n\nexport const widgetSpec = z.object({\n");
    expect(out).toContain('export const widgetStatus = z.object({\n');
  });

  it('names types of several versions and groups of a kind', async () => {
    const both = file('both.yaml', definition('v1', 'v1beta1'));
    const other = file('other.yaml', definition('v1').replaceAll('example.com', 'other-example.org'));
    const names = (text: string): unknown[] => [...text.matchAll(/interface (\w+)/g)].map(([, name]) => name);
    expect(names((await run(both)).out)).toEqual(['WidgetV1', 'WidgetV1beta1']);
    expect(names((await run(both, other)).out)).toEqual([
      'WidgetV1ExampleCom',
      'WidgetV1beta1',
      'WidgetV1OtherExampleOrg',
    ]);
    expect(await run(both, both)).toMatchObject({
      status: 2,
      error: 'ashlar: Widget is defined more than once\n',
    });
  });

  it('writes a module for each group into a folder, and removes what is no more', async () => {
    const other = definition('v1', 'v1beta1').replaceAll('example.com', 'other-example.org');
    const [first, second] = [file('first.yaml', definition('v1')), file('second.yaml', other)];
    const out = join(folder, 'generated');
    const both = await run('--out', out, first, second);
    expect(both).toEqual({
      status: 0,
      error: '',
      out: `${out}/example.com.ts\n${out}/other-example.org.ts\n`,
    });
    const text = readFileSync(join(out, 'other-example.org.ts'), 'utf8');
    expect(text).toContain('export interface WidgetV1beta1 extends ApiObject {');
    expect(text).toContain(`export const widgetsV1beta1: DefinedResource<WidgetV1beta1> = {
  group: "other-example.org",
  names: { plural: "widgets", kind: "Widget" },
  versions: [{ name: "v1beta1", served: true, storage: true }],
};
`);
    writeFileSync(join(out, 'own.ts'), 'export {};');
    expect((await run('--out', out, second)).out).toBe(`${out}/example.com.ts\n`);
    expect(readdirSync(out)).toEqual(['other-example.org.ts', 'own.ts']);
    expect((await run('--out', out, second)).out).toBe('');
    writeFileSync(join(out, 'example.com.ts'), 'export {};');
    expect(await run('--out', out, first)).toMatchObject({
      status: 2,
      error: 'ashlar: flag --out: /generated/example.com.ts exists, and was not generated by this command\n',
    });
    expect((await run('--zod', '--out', join(folder, 'zod'), first)).status).toBe(0);
    expect(readFileSync(join(folder, 'zod/example.com.ts'), 'utf8')).toContain(
      'export const widgetSpec = z.object',
    );
  });

  it('follows files until it is stopped, also those that are wrong for a time', async () => {
    const sources = join(folder, 'sources');
    mkdirSync(sources);
    file('sources/a.yaml', definition('v1'));
    const out = join(folder, 'followed');
    const stop = new AbortController();
    const errors: string[] = [];
    const running = runCommand(['types', '--watch', '--out', out, sources], {
      stdout: () => {},
      stderr: (text) => void errors.push(text.replaceAll(folder, '')),
      signal: stop.signal,
    });
    const text = (): string => {
      try {
        return readFileSync(join(out, 'example.com.ts'), 'utf8');
      } catch {
        return '';
      }
    };
    await expect.poll(text).toContain('readonly color?: "red" | "blue"');
    file('sources/a.yaml', definition('v1').replace('[red, blue]', '[red, blue, green]'));
    await expect.poll(text).toContain('"green"');
    file('sources/a.yaml', 'kind: [');
    await expect.poll(() => errors.join('')).toMatch(/^ashlar: \/sources\/a\.yaml/);
    file('sources/b.yaml', definition('v1beta1'));
    file('sources/a.yaml', 'nothing: here');
    await expect.poll(text).toContain('"example.com/v1beta1"');
    stop.abort();
    expect(await running).toBe(0);
  });

  it.each([
    [[], 'types needs a file'],
    [['--watch', 'a.yaml'], 'flag --watch needs --out'],
    [['--zod=maybe', 'a'], 'flag --zod: maybe is neither true nor false'],
    [['missing.yaml'], 'missing.yaml cannot be read (ENOENT)'],
  ])('requires files: %j', async (words, sentence) => {
    expect(await run(...words)).toEqual({ status: 2, out: '', error: `ashlar: ${sentence}\n` });
  });
});
