import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../command.ts';

const JOB = `apiVersion: batch/v1beta1
kind: CronJob
metadata:
  name: report
`;

describe('ashlar check-manifests', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ashlar-parts-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const run = async (...words: readonly string[]) => {
    const out: string[] = [];
    const status = await runCommand(['check-manifests', '--vocabulary=kubernetes', ...words], {
      stdout: (text) => void out.push(text),
      stderr: (text) => void out.push(text),
      signal: new AbortController().signal,
    });
    const lines = out.join('').replaceAll(`${folder}/`, '').split('\n');
    return { status, lines: lines.filter((line) => line !== '' && !line.startsWith(' ')) };
  };

  describe('with patches of a kustomization', () => {
    it('changes only their version, and writes no defaults into them', async () => {
      write(
        'base/deployment.yaml',
        'apiVersion: extensions/v1beta1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {metadata: {labels: {app: a}}, spec: {containers: []}}}\n',
      );
      write(
        'overlay/kustomization.yaml',
        'resources: [../base]\npatches:\n- path: more.yaml\npatchesStrategicMerge: [../shared/less.yaml]\n',
      );
      const patch =
        'apiVersion: extensions/v1beta1 # old\nkind: Deployment\nmetadata: {name: a}\nspec: {replicas: 5}\n';
      write('overlay/more.yaml', patch);
      write('shared/less.yaml', patch.replace('5', '1'));
      const { status } = await run('--fix', folder);
      expect(status).toBe(0);
      expect(read('overlay/more.yaml')).toBe(patch.replace('extensions/v1beta1', 'apps/v1'));
      expect(read('shared/less.yaml')).toBe(patch.replace('extensions/v1beta1', 'apps/v1').replace('5', '1'));
      expect(read('base/deployment.yaml')).toContain('progressDeadlineSeconds: 2147483647');
    });

    it('knows a patch that is given alone', async () => {
      write('kustomization.yaml', 'patches: [{path: patch.yaml}]\n');
      const file = write(
        'patch.yaml',
        'apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: {name: a}\nspec: {replicas: 5}\n',
      );
      expect((await run('--fix', file)).status).toBe(0);
      expect(read('patch.yaml')).toBe(
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {replicas: 5}\n',
      );
    });

    it('leaves patches whole whose fields are others in the new version', async () => {
      write('kustomization.yaml', 'patches: [{path: a.yaml}, {path: b.yaml}]\n');
      const moved =
        'apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: a}\nspec: {backend: {serviceName: b, servicePort: 1}}\n';
      const needed =
        'apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: a}\nspec: {rules: [{host: c, http: {paths: [{path: /}]}}]}\n';
      write('a.yaml', moved);
      write('b.yaml', needed);
      const { status, lines } = await run('--fix', folder);
      expect(status).toBe(1);
      expect(lines).toEqual([
        expect.stringMatching(/^a\.yaml:1: .*a patch, which is not changed/),
        expect.stringMatching(/^b\.yaml:1: .*a patch/),
      ]);
      expect([read('a.yaml'), read('b.yaml')]).toEqual([moved, needed]);
    });

    it('checks inline patches and selectors', async () => {
      const file = write(
        'kustomization.yaml',
        `# jobs and more
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
patches:
  - target:
      group: batch # of the patch
      version: v1beta1
      kind: CronJob
    patch: |-
      - op: replace
        path: /spec/schedule
        value: "0 0 * * *"
  - patch: |-
      apiVersion: batch/v1beta1 # inline
      kind: CronJob
      metadata:
        name: report
      spec:
        suspend: true
  - target: {group: extensions, version: v1beta1, kind: Ingress}
    patch: |-
      - {op: remove, path: /spec/backend}
`,
      );
      const { status, lines } = await run('--fix', file);
      expect([status, lines]).toEqual([
        1,
        [
          expect.stringMatching(/^kustomization\.yaml:1: CronJob "report": .* \(fixed\)$/),
          expect.stringMatching(/^kustomization\.yaml:1: selector of CronJob: .* \(fixed\)$/),
          expect.stringMatching(
            /^kustomization\.yaml:1: selector of Ingress: .*a selector, which is not changed/,
          ),
        ],
      ]);
      const text = read('kustomization.yaml');
      expect(text).toContain('# jobs and more');
      expect(text).toContain('      group: batch # of the patch\n      version: v1\n      kind: CronJob\n');
      expect(text).toContain('      apiVersion: batch/v1 # inline\n');
      expect(text).toContain('group: extensions, version: v1beta1, kind: Ingress');
      expect(text.match(/patch: \|-/g)).toHaveLength(3);
    });
  });

  describe('with stored releases of Helm', () => {
    const encode = (release: object, isSecret = true): string => {
      const inner = gzipSync(JSON.stringify(release)).toString('base64');
      return isSecret ? Buffer.from(inner).toString('base64') : inner;
    };
    const decode = (data: string): { manifest: string; hooks: { manifest: string }[]; chart: unknown } =>
      JSON.parse(gunzipSync(Buffer.from(Buffer.from(data, 'base64').toString(), 'base64')).toString());
    const release = {
      ...{
        name: 'shop',
        version: 4,
        info: { status: 'deployed' },
        chart: { values: { a: 1.5, 'b/<': 'ü' } },
      },
      manifest: `---\n# Source: shop/templates/job.yaml\n${JOB}---\napiVersion: v1\nkind: Service\n`,
      hooks: [
        { name: 'test', manifest: JOB.replace('report', 'hook') },
        { name: 'other', manifest: 'kind: A' },
      ],
    };
    const secret = (data: string): string =>
      `apiVersion: v1\nkind: Secret\ntype: helm.sh/release.v1\nmetadata: {name: s} # of Helm\ndata:\n  release: ${data}\n`;

    it('migrates manifests inside them, and nothing else', async () => {
      write('secret.yaml', secret(encode(release)));
      const found = await run(folder);
      expect([found.status, found.lines]).toEqual([
        1,
        [
          expect.stringMatching(
            /^secret\.yaml:1: CronJob "report" in release "shop" of Helm, revision 4: batch\/v1beta1 is not/,
          ),
          expect.stringMatching(/^secret\.yaml:1: CronJob "hook" in release "shop" of Helm, revision 4: /),
        ],
      ]);
      expect((await run('--fix', folder)).status).toBe(0);
      const text = read('secret.yaml');
      expect(text).toContain('metadata: {name: s} # of Helm\n');
      const changed = (manifest: string): string => manifest.replace('batch/v1beta1', 'batch/v1');
      expect(decode(/release: (\S+)/.exec(text)?.[1] ?? '')).toEqual({
        ...release,
        manifest: changed(release.manifest),
        hooks: release.hooks.map((hook) => ({ ...hook, manifest: changed(hook.manifest) })),
      });
      expect(await run('--fix', folder)).toEqual({ status: 0, lines: [] });
    });

    it('skips old revisions, and reports what cannot be read', async () => {
      write('a.yaml', secret(encode({ ...release, info: { status: 'superseded' } })));
      write('b.yaml', secret('ZXc9PQ=='));
      write('c.yaml', secret(encode([])));
      const { status, lines } = await run('--fix', folder);
      expect([status, lines]).toEqual([
        1,
        [
          ['b.yaml', 'unexpected end of JSON input'],
          ['c.yaml', 'is no release of Helm'],
        ].map(([name, why]) => `${name}:1: is a release of Helm that cannot be read: ${why}`),
      ]);
      expect(read('b.yaml')).toBe(secret('ZXc9PQ=='));
    });

    it('keeps numbers that exceed doubles', async () => {
      const large = JSON.stringify({ ...release, chart: { size: 0 } }).replace(
        '"size":0',
        '"size":9007199254740993',
      );
      write('a.yaml', secret(Buffer.from(Buffer.from(large).toString('base64')).toString('base64')));
      expect((await run('--fix', folder)).status).toBe(0);
      const stored = Buffer.from(/release: (\S+)/.exec(read('a.yaml'))?.[1] ?? '', 'base64').toString();
      const text = Buffer.from(stored, 'base64').toString();
      expect(text).toContain('"size":9007199254740993');
      expect(text).not.toContain('v1beta1');
    });

    it('finds them in lists', async () => {
      const item = secret(encode(release)).trimEnd().replaceAll('\n', '\n  ');
      write(
        'list.yaml',
        `apiVersion: v1\nkind: List\nitems:\n- ${item}\n- ${JOB.trimEnd().replaceAll('\n', '\n  ')}\n`,
      );
      expect((await run('--fix', folder)).lines).toHaveLength(3);
      expect(await run(folder)).toEqual({ status: 0, lines: [] });
    });
  });
});
