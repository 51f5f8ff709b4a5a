import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../command.ts';

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
      out: `import type { ObjectMeta } from '@ashlar/core';

/** Something useful. */
export interface Widget {
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

  it.each([
    [[], 'types needs a file'],
    [['--zod=maybe', 'a'], 'flag --zod: maybe is neither true nor false'],
    [['missing.yaml'], 'missing.yaml cannot be read (ENOENT)'],
  ])('requires files: %j', async (words, sentence) => {
    expect(await run(...words)).toEqual({ status: 2, out: '', error: `ashlar: ${sentence}\n` });
  });
});
