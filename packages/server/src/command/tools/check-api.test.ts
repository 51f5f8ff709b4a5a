import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../command.ts';

const definition = (spec: string, domain = 'k8s.io'): string => `apiVersion: apiextensions.${domain}/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: ${spec}
`;
const OLD = definition('{type: object, properties: {size: {type: integer}, color: {type: string}}}');
const NEW = definition(
  '{type: object, properties: {size: {type: integer, maximum: 9}, color: {type: string}, x: {type: string}}}',
);

describe('ashlar check-api', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ashlar-check-api-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const run = async (...words: readonly string[]) => {
    const received: string[] = [];
    const print = (text: string): void => void received.push(text.replaceAll(folder, ''));
    const { signal } = new AbortController();
    const status = await runCommand(['check-api', ...words], { stdout: print, stderr: print, signal });
    return [status, ...received.join('').trimEnd().split('\n')];
  };

  it('distinguishes breaking changes from others', async () => {
    expect(await run(file('old.yaml', OLD), file('new.yaml', NEW))).toEqual([
      1,
      'widgets.example.com v1 spec.x: is new',
      'widgets.example.com v1 spec.size: maximum is now 9 (breaks stored objects and clients)',
      '2 changes, 1 of them breaking',
    ]);
  });

  it('reports that nothing breaks', async () => {
    const wider = definition('{type: object, properties: {size: {type: number}}}');
    const [old, same] = [file('old.yaml', OLD), file('same.yaml', `# the same\n${OLD}`)];
    expect(await run(old, same)).toEqual([0, '0 changes, 0 of them breaking']);
    expect((await run(old, file('wider.yaml', wider)))[0]).toBe(1);
  });

  it('reads folders, lists and JSON, and both vocabularies', async () => {
    file('before/deep/widgets.yaml', OLD);
    file('before/readme.yaml', 'title: nothing of ours');
    const items = [JSON.parse(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap' }))];
    file('before/other.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    file('after/widgets.yml', OLD.replace('k8s.io', 'orch.io'));
    expect(await run(join(folder, 'before'), join(folder, 'after'))).toEqual([
      0,
      '0 changes, 0 of them breaking',
    ]);
  });

  it('compares published documents, too', async () => {
    const widget = { group: 'example.com', version: 'v1', kind: 'Widget' };
    const document = (size: object): object => ({
      openapi: '3.0.0',
      paths: {
        '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}': {
          get: { 'x-kubernetes-action': 'get', 'x-kubernetes-group-version-kind': widget },
          patch: { 'x-kubernetes-action': 'patch', 'x-kubernetes-group-version-kind': widget },
        },
      },
      components: {
        schemas: {
          Widget: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size, color: { type: 'string' } } } },
            'x-kubernetes-group-version-kind': [widget],
          },
        },
      },
    });
    const published = file('published.json', JSON.stringify(document({ type: 'integer' })));
    expect(await run(file('old.yaml', OLD), published)).toEqual([0, '0 changes, 0 of them breaking']);
    const narrower = file('narrower.json', JSON.stringify(document({ type: 'integer', minimum: 1 })));
    expect(await run(published, narrower)).toEqual([
      1,
      'widgets.example.com v1 spec.size: minimum is now 1 (breaks stored objects and clients)',
      '1 change, 1 of them breaking',
    ]);
  });

  it.each([
    [[], 'check-api needs two files or folders: the old and the new definitions'],
    [['one'], 'check-api needs two files or folders: the old and the new definitions'],
    [['--flag', 'a', 'b'], 'unknown flag: --flag; see ashlar --help'],
    [['missing.yaml', 'missing.yaml'], 'missing.yaml cannot be read (ENOENT)'],
  ])('requires two existing paths: %j', async (words, sentence) => {
    expect(await run(...words)).toEqual([2, `ashlar: ${sentence}`]);
  });

  it.each([
    ['kind: [', /^ashlar: \/bad\.yaml: /],
    ['kind: Other', 'ashlar: /bad.yaml contains no definition'],
    [
      OLD.replace('/v1\n', '/v1beta1\n'),
      'ashlar: /bad.yaml: unknown apiVersion "apiextensions.k8s.io/v1beta1" of a definition',
    ],
    [
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition',
      'ashlar: /bad.yaml: the definition is incomplete',
    ],
    [definition('{type: 3}'), 'ashlar: /bad.yaml: schema of spec: type must be a string'],
  ])('reports what is wrong with a file: %j', async (text, sentence) => {
    const [status, line] = await run(file('bad.yaml', text), file('new.yaml', NEW));
    expect(status).toBe(2);
    expect(line).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence));
  });

  it('finds what objects lose on the way through the versions of a release, unless a webhook converts them', async () => {
    const two = (conversion = '') => {
      const text = definition('{type: object, properties: {size: {type: integer}}}');
      const [start = '', first = ''] = text.split('  versions:\n');
      const second = first
        .replace('name: v1\n', 'name: v2\n')
        .replace('storage: true', 'storage: false')
        .replace('size:', 'length:');
      return `${start}${conversion}  versions:\n${first}${second}`;
    };
    for (const release of ['1', '2']) file(`round/${release}/a.yaml`, two());
    const lost = (from: string, member: string, to: string) =>
      ['1', '2'].map(
        (release) =>
          `${release}: widgets.example.com ${from} spec.${member} is lost in ${to}: objects must survive the way to every version and back (rule 2)`,
      );
    const [status, ...lines] = await run('--history', join(folder, 'round'));
    expect(status).toBe(1);
    expect(lines.sort()).toEqual(
      [...lost('v1', 'size', 'v2'), ...lost('v2', 'length', 'v1'), '2 releases, 4 findings'].sort(),
    );
    const webhook = '  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1]}}\n';
    for (const release of ['1', '2']) file(`hook/${release}/a.yaml`, two(webhook));
    expect(await run('--history', join(folder, 'hook'))).toEqual([0, '2 releases, 0 findings']);
  });

  it('applies the rules of deprecation to all releases of a folder', async () => {
    file('releases/1.9/a.yaml', OLD);
    file('releases/1.10/a.yaml', NEW);
    file('releases/1.11/a.yaml', NEW.replaceAll('name: v1\n', 'name: v2\n'));
    expect(await run('--history', join(folder, 'releases'))).toEqual([
      1,
      '1.10: widgets.example.com v1 spec.size maximum is now 9: elements can be removed or changed only in a new version (rule 1)',
      '1.11: widgets.example.com objects were stored in v1 and are in v2, and nothing reads v1 any more: elements can be removed or changed only in a new version (rule 1)',
      '1.11: widgets.example.com v1 is no longer served: stable versions stay within a major release (rule 4a)',
      '1.11: widgets.example.com v2 became the preferred version in its first release: the release before has to serve it and v1 (rule 4b)',
      '1.11: widgets.example.com v2 became the storage version in its first release: the release before has to serve it and v1 (rule 4b)',
      '3 releases, 5 findings',
    ]);
    expect((await run('--history', join(folder, 'none')))[0]).toBe(2);
  });

  it('applies the rules to flags, gates and metrics of release.yaml', async () => {
    const flag = '{kind: flag, name: --old, deprecated: true}';
    const releases: readonly (readonly [string, string])[] = [
      ['1.0', `published: 2025-01-01\nelements: [${flag}, {kind: metric, name: old_total, stage: beta}]`],
      ['1.1', `published: 2025-04-01\nelements: [${flag}]`],
      ['1.2', `published: 2025-08-01\nelements: []`],
    ];
    for (const [name, text] of releases) {
      file(`elements/${name}/types.yaml`, OLD);
      file(`elements/${name}/release.yaml`, text);
    }
    expect(await run('--history', join(folder, 'elements'))).toEqual([
      1,
      '1.1: metric old_total is gone, and was not deprecated before (rule 11b)',
      '1.1: metric old_total is gone 1 release after its first release: beta metrics stay for 2 (rule 11a)',
      '1.2: flag --old is gone 212 days after its announcement: stable flags stay for 365 (rule 5a)',
      '3 releases, 3 findings',
    ]);
    for (const [text, message] of [
      ['elements: [{kind: option, name: x}]', 'elements[0]: kind must be one of'],
      ['elements: [{kind: flag, name: x, stage: old}]', 'elements[0]: stage must be one of'],
      ['published: soon', 'published is no date'],
      ['flags: []', 'unknown field flags'],
    ] as const) {
      file('elements/1.2/release.yaml', text);
      expect((await run('--history', join(folder, 'elements')))[1]).toContain(message);
    }
  });
});
