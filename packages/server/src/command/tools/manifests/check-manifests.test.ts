import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orchVocabulary } from '@ashlar/core';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runCommand } from '../../command.ts';
import { checkDocument } from './check-document.ts';
import { documentTexts } from './document-text.ts';

const INGRESS = `# how the shop is reached
apiVersion: extensions/v1beta1 # the old one
kind: Ingress
metadata:
  name: shop
  namespace: web
spec:
  # everything else
  backend:
    serviceName: fallback # nothing but an error
    servicePort: 80
  rules:
    - host: shop.example.com
      http:
        paths:
          - path: /
            backend:
              serviceName: shop
              servicePort: http
`;

describe('ashlar check-manifests', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ashlar-manifests-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, text: string | Uint8Array): string => {
    const file = join(folder, name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const run = async (...words: readonly string[]) => {
    const out: string[] = [];
    const error: string[] = [];
    const status = await runCommand(['check-manifests', ...words], {
      stdout: (text) => void out.push(text),
      stderr: (text) => void error.push(text),
      signal: new AbortController().signal,
    });
    const relative = (texts: readonly string[]) => texts.join('').replaceAll(`${folder}/`, '');
    return { status, out: relative(out), error: relative(error) };
  };

  describe.each([['orch'], ['kubernetes']])('with the names of %s', (vocabulary) => {
    const domain = vocabulary === 'orch' ? 'orch.io' : 'k8s.io';

    it('says what a release no longer serves, since when, and what replaces it', async () => {
      write('a.yaml', `---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\n---\n${INGRESS}`);
      const { status, out } = await run('--vocabulary', vocabulary, folder);
      expect(status).toBe(1);
      expect(out.split('\n').slice(0, 2)).toEqual([
        `a.yaml:7: Ingress "web/shop": extensions/v1beta1 is not served since v1.22, deprecated since v1.14; use networking.${domain}/v1, served since v1.19`,
        '    spec.backend is named spec.defaultBackend',
      ]);
      expect(await run('--target', '1.21', '--vocabulary', vocabulary, folder)).toMatchObject({
        status: 0,
        out: expect.stringContaining('is deprecated since v1.14, and will not be served from v1.22 on'),
      });
    });

    it('migrates in place, with comments and order, and finds nothing more afterwards', async () => {
      const file = write(
        'a.yaml',
        `# head\n---\n${INGRESS}---\napiVersion: v1\nkind:   Pod\nmetadata: {name: p}\n`,
      );
      chmodSync(file, 0o640);
      const first = await run('--fix', '--vocabulary', vocabulary, file);
      expect(first).toMatchObject({ status: 0, out: expect.stringContaining('(fixed)') });
      const text = readFileSync(file, 'utf8');
      expect(text).toBe(`# head
---
# how the shop is reached
apiVersion: networking.${domain}/v1 # the old one
kind: Ingress
metadata:
  name: shop
  namespace: web
spec:
  # everything else
  rules:
    - host: shop.example.com
      http:
        paths:
          - path: /
            backend:
              service:
                name: shop
                port:
                  name: http
            pathType: ImplementationSpecific
  defaultBackend:
    service:
      name: fallback # nothing but an error
      port:
        number: 80
---
apiVersion: v1
kind:   Pod
metadata: {name: p}
`);
      expect(statSync(file).mode & 0o777).toBe(0o640);
      expect(await run('--fix', '--vocabulary', vocabulary, file)).toEqual({ status: 0, out: '', error: '' });
      expect(readFileSync(file, 'utf8')).toBe(text);
    });
  });

  it('knows the vocabulary of the other manifests', async () => {
    write('a.yaml', INGRESS);
    write('b.yaml', 'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a}\n');
    expect((await run(folder)).out).toContain('use networking.k8s.io/v1');
  });

  it('goes on after templates, invalid files and other encodings', async () => {
    write('1.yaml', '{{- if .x }}\napiVersion: batch/v1beta1\nkind: CronJob\n{{- end }}\n');
    write('2.yaml', 'a: [1\n');
    write('3.yaml', Buffer.from('\ufeffa: 1', 'utf16le'));
    write('4.yaml', Buffer.from([0x61, 0xff]));
    write('deep/5.json', '{\n    "apiVersion": "batch/v1beta1",\n    "kind": "CronJob"\n}\n');
    write('6.txt', INGRESS);
    const { status, out } = await run(folder);
    expect(status).toBe(1);
    const lines = out.split('\n').filter((line) => line !== '' && !line.startsWith(' '));
    expect(lines).toEqual([
      expect.stringMatching(
        /^1\.yaml:2: CronJob: batch\/v1beta1 is not served since v1\.25.* \(a template, which is not changed\)$/,
      ),
      expect.stringMatching(/^2\.yaml:\d: is no valid YAML: /),
      '3.yaml:1: is encoded as UTF-16 and not as UTF-8',
      '4.yaml:1: is not encoded as UTF-8',
      expect.stringMatching(/^deep\/5\.json:2: CronJob: batch\/v1beta1 /),
    ]);
  });

  it('says what is still to be done after a migration', async () => {
    const file = write(
      'a.yaml',
      'apiVersion: admissionregistration.k8s.io/v1beta1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: a}\nwebhooks:\n- name: a.example.com\n  clientConfig: {url: "https://a"}\n',
    );
    const { status, out } = await run('--fix', file);
    expect(status).toBe(1);
    expect(out).toContain('    still to be done: webhooks[0].sideEffects: Unsupported value: "Unknown"');
    expect(readFileSync(file, 'utf8')).toContain('  timeoutSeconds: 30\n');
  });

  it('migrates items of lists, aliases and JSON', async () => {
    const list = write(
      'list.yaml',
      'apiVersion: v1\nkind: List\nitems:\n- &job\n  # first\n  apiVersion: batch/v1beta1\n  kind: CronJob\n  metadata: {name: a}\n  spec: &spec {schedule: "* * * * *", jobTemplate: {spec: {template: {spec: {containers: []}}}}}\n- apiVersion: batch/v1beta1\n  kind: CronJob\n  metadata: {name: b}\n  spec: *spec\n',
    );
    const json = write('one.json', '{\n    "kind": "CronJob",\n    "apiVersion": "batch/v1beta1"\n}\n');
    await run('--fix', folder);
    const text = readFileSync(list, 'utf8');
    expect(text).toContain('# first\n- &job\n');
    expect(text).toContain('spec: *spec\n');
    expect(text.match(/apiVersion: batch\/v1\n/g)).toHaveLength(2);
    expect(readFileSync(json, 'utf8')).toMatch(/^\{\n {4}"kind": "CronJob",\n {4}"apiVersion": "batch\/v1"/);
  });

  it('reports for programs', async () => {
    const file = write('a.yaml', INGRESS);
    const json = JSON.parse((await run('--output', 'json', file)).out);
    expect(json).toMatchObject({
      target: '1.32',
      findings: [{ file: 'a.yaml', line: 2, severity: 'withdrawn', removed: '1.22', kind: 'Ingress' }],
    });
    const sarif = JSON.parse((await run('--output=sarif', file)).out);
    expect(sarif.runs[0].results[0]).toMatchObject({
      ruleId: 'withdrawn',
      level: 'error',
      locations: [{ physicalLocation: { artifactLocation: { uri: 'a.yaml' }, region: { startLine: 2 } } }],
    });
  });

  it('refuses other arguments', async () => {
    expect(await run()).toMatchObject({ status: 2, error: expect.stringContaining('needs a file') });
    expect(await run(join(folder, 'none'))).toMatchObject({
      status: 2,
      error: expect.stringContaining('does not exist'),
    });
    expect(await run('--target', 'latest', folder)).toMatchObject({ status: 2 });
  });
});

describe('checkDocument', () => {
  const check = (text: string, fix: boolean) =>
    documentTexts(text).map((document) =>
      checkDocument(document, { target: '1.32', fix, vocabulary: orchVocabulary }),
    );

  it('takes every text', () => {
    const piece = fc.constantFrom(
      'apiVersion: extensions/v1beta1\n',
      'kind: Deployment\n',
      'spec:\n',
      '  template: &a\n',
      '  <<: *a\n',
      '---\n',
      '- ',
      '{{ x }}',
      ': [',
      '"\n',
      '# c\n',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }), (pieces) => {
        for (const { findings } of check(pieces.join(''), true))
          for (const { line, message } of findings) expect([line > 0, message !== '']).toEqual([true, true]);
      }),
    );
  });

  it('keeps comments, and fixes once', () => {
    const words = fc.stringMatching(/^[a-z]{1,8}$/);
    const ingress = fc.record({
      name: words,
      port: fc.oneof(fc.integer({ min: 1, max: 9999 }), words),
      comment: words,
    });
    fc.assert(
      fc.property(fc.array(ingress, { minLength: 1, maxLength: 4 }), (backends) => {
        const paths = backends.map(
          ({ name, port, comment }) =>
            `    - path: /${name}\n      backend: # ${comment}-a\n        serviceName: ${name} # ${comment}-b\n        servicePort: ${port}\n`,
        );
        const text = `apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: a}\nspec:\n  rules:\n  - http:\n      paths:\n${paths.join('').replaceAll(/^/gm, '  ').trimEnd()}\n`;
        const [fixed] = check(text, true);
        expect(fixed?.text).toBeDefined();
        for (const { comment } of backends) {
          expect(fixed?.text).toContain(`# ${comment}-a`);
          expect(fixed?.text).toContain(`# ${comment}-b`);
        }
        expect(parseAllDocuments(fixed?.text ?? '')).toHaveLength(1);
        expect(check(fixed?.text ?? '', true)).toEqual([{ findings: [] }]);
      }),
    );
  });
});
