import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../command.ts';

const MANIFESTS = `# two that a server takes, and three that it does not
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {color: blue}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
colour: blue
---
apiVersion: v1
kind: ConfigMap
metadata: {name: Not_A_Name}
---
apiVersion: example.com/v1
kind: Widget
`;

describe('ashlar vet', () => {
  let folder: string;
  let file: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ashlar-vet-'));
    file = join(folder, 'manifests.yaml');
    writeFileSync(file, MANIFESTS);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = async (...words: readonly string[]) => {
    const out: string[] = [];
    const error: string[] = [];
    const status = await runCommand(['vet', ...words], {
      stdout: (text) => void out.push(text),
      stderr: (text) => void error.push(text.replaceAll(folder, '')),
      signal: new AbortController().signal,
    });
    return { status, out: out.map((text) => text.replaceAll(folder, '')), error };
  };

  it('reports the response of a server for each document', async () => {
    const { status, out, error } = await run(file);
    expect(status).toBe(1);
    expect(out).toEqual([
      '/manifests.yaml (document 1): ConfigMap "settings" is valid\n',
      '/manifests.yaml (document 2): Namespace "shop" is valid\n',
    ]);
    expect(error).toEqual([
      expect.stringContaining('(document 3): ConfigMap in version "v1" cannot be handled as a ConfigMap'),
      expect.stringContaining('(document 4): ConfigMap "Not_A_Name" is invalid: metadata.name'),
      '/manifests.yaml (document 5): unknown kind Widget in example.com/v1\n',
    ]);
  });

  it('asks the policies of a folder, with their bindings, namespaces and parameters', async () => {
    const policies = join(folder, 'policies');
    mkdirSync(policies);
    writeFileSync(
      join(policies, 'colors.yaml'),
      `apiVersion: admissionregistration.orch.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: colors}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  validations:
  - expression: object.data.color == params.data.color
    messageExpression: "request.userInfo.username + ' wants ' + object.data.color + ' in ' + namespaceObject.metadata.labels.team"
---
apiVersion: admissionregistration.orch.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: everywhere}
spec:
  policyName: colors
  validationActions: [Deny]
  paramRef: {name: wanted, namespace: shop, parameterNotFoundAction: Deny}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {team: paint}}
`,
    );
    const wanted = join(policies, 'wanted.yaml');
    const colorful = (color: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: wanted, namespace: shop}\ndata: {color: ${color}}\n`;
    const object = join(folder, 'blue.yaml');
    writeFileSync(object, colorful('blue'));
    writeFileSync(wanted, colorful('red'));
    const who = 'policy "colors" with binding "everywhere" and parameters "wanted"';
    expect(await run('--policies', policies, '--user', 'ann', object)).toEqual({
      status: 1,
      out: ['/blue.yaml: ConfigMap "wanted" is valid\n'],
      error: [
        expect.stringMatching(
          new RegExp(
            `^/blue.yaml: ${who}: Deny: ann wants blue in paint \\(spec.validations\\[0\\]\\), cost \\d+\n$`,
          ),
        ),
      ],
    });
    writeFileSync(wanted, colorful('blue'));
    const { status, out } = await run('--policies', policies, object);
    expect(status).toBe(0);
    expect(out[1]).toMatch(new RegExp(`^/blue.yaml: ${who} holds, cost \\d+\n$`));
  });

  describe.each(['kubernetes', 'orch'])('with the names of %s', (vocabulary) => {
    const group = `admissionregistration.${vocabulary === 'orch' ? 'orch.io' : 'k8s.io'}/v1`;
    const policyOf = (name: string, actions: string): string => `apiVersion: ${group}
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  validations:
  - expression: "true"
  - {expression: has(object.data), message: data is wanted}
---
apiVersion: ${group}
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${name}-here}
spec: {policyName: ${name}, validationActions: [${actions}]}
---
`;
    const manifests = `# a comment
---

apiVersion: v1
kind: ConfigMap
metadata: {name: empty}
---
apiVersion: v1
kind: ConfigMap
  metadata: {name: broken}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: Not_A_Name}
`;
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const finding = (line: number, document: number, rest: object) => ({
      ...{ file: '/found.yaml', line, document, ...rest },
    });
    const denied = (name: string, actions: readonly string[]) => ({
      ...{ message: 'data is wanted', policy: name, binding: `${name}-here`, expressionIndex: 1, actions },
      cost: expect.any(Number),
    });
    const ask = (output: string) =>
      run(
        ...['--vocabulary', vocabulary, '--output', output, '--policies'],
        write(
          'three.yaml',
          policyOf('hard', 'Deny, Audit') + policyOf('soft', 'Warn, Audit') + policyOf('quiet', 'Audit'),
        ),
        write('found.yaml', manifests),
      );

    it('reports findings with their places as JSON', async () => {
      const { status, out, error } = await ask('json');
      expect(status).toBe(1);
      expect(error).toEqual([]);
      expect(JSON.parse(out.join(''))).toEqual({
        findings: [
          finding(4, 1, { severity: 'error', ...denied('hard', ['Deny', 'Audit']) }),
          finding(4, 1, { severity: 'note', ...denied('quiet', ['Audit']) }),
          finding(4, 1, { severity: 'warning', ...denied('soft', ['Warn', 'Audit']) }),
          finding(10, 2, { severity: 'error', message: expect.stringMatching(/^yaml: line/) }),
          finding(12, 3, { severity: 'error', message: expect.stringContaining('metadata.name: Invalid') }),
        ],
      });
    });

    it('reports findings as SARIF, each policy as a rule', async () => {
      const { status, out } = await ask('sarif');
      expect(status).toBe(1);
      const [{ tool, results }] = JSON.parse(out.join('')).runs;
      expect(tool.driver).toMatchObject({
        name: 'ashlar vet',
        rules: [{ id: 'invalid' }, { id: 'policy/hard' }, { id: 'policy/quiet' }, { id: 'policy/soft' }],
      });
      const levels = results.map(({ ruleId, level }: Record<string, unknown>) => `${ruleId} ${level}`);
      const [hard, quiet, soft] = ['policy/hard error', 'policy/quiet note', 'policy/soft warning'];
      expect(levels).toEqual([hard, quiet, soft, 'invalid error', 'invalid error']);
      expect(results[0]).toMatchObject({
        message: { text: 'data is wanted (binding "hard-here")' },
        locations: [
          { physicalLocation: { artifactLocation: { uri: '/found.yaml' }, region: { startLine: 4 } } },
        ],
      });
    });

    const admit = `apiVersion: ${group}
kind: ValidatingAdmissionPolicy
metadata: {name: growth}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}]
  validations:
  - expression: "request.operation == 'CREATE' || int(object.data.size) - int(oldObject.data.size) <= int(params.data.step)"
    messageExpression: "request.operation + ' in ' + namespaceObject.metadata.labels.team + ': ' + oldObject.metadata.uid"
---
apiVersion: ${group}
kind: ValidatingAdmissionPolicyBinding
metadata: {name: here}
spec: {policyName: growth, validationActions: [Deny], paramRef: {name: most, parameterNotFoundAction: Deny}}
`;
    const sized = (size: number, metadata: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: shop, ${metadata}}\ndata: {size: "${size}"}\n---\n`;
    const team = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: paint}}\n';
    const most =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: most, namespace: shop}\ndata: {step: "1"}\n';
    const words = (file: string, ...rest: readonly string[]) => [
      ...['--vocabulary', vocabulary, '--policies', write('growth.yaml', admit)],
      ...['--namespace', write('team.yaml', team), '--params', write('most.yaml', most), ...rest, file],
    ];

    it('asks about updates of the objects before, with namespaces and parameters from elsewhere', async () => {
      const old = write(
        'old.yaml',
        sized(1, 'name: a, uid: "7", resourceVersion: "9"') + sized(1, 'name: b'),
      );
      const file = write('new.yaml', sized(3, 'name: a') + sized(2, 'name: b') + sized(9, 'name: c'));
      const { status, out, error } = await run(...words(file, '--old', old));
      expect(status).toBe(1);
      expect(error).toEqual([expect.stringContaining('new.yaml (document 1): policy "growth"')]);
      expect(error[0]).toContain('UPDATE in paint: 7');
      expect(out.filter((line) => line.includes('holds'))).toHaveLength(2);
      const same = write(
        'same.yaml',
        sized(1, 'name: a, uid: "7", resourceVersion: "10"') + sized(1, 'name: b'),
      );
      expect(await run(...words(same, '--old', old))).toMatchObject({ status: 0 });
    });

    it('knows the kinds of parameters that a server has, also where there are none', async () => {
      const without = [
        ...['--vocabulary', vocabulary, '--policies', write('growth.yaml', admit)],
        write('new.yaml', sized(3, 'name: a')),
      ];
      const { status, error } = await run(...without);
      expect(status).toBe(1);
      expect(error).toEqual([expect.stringContaining('no params found for policy binding')]);
    });

    it('explains the value of each expression', async () => {
      const file = write('new.yaml', sized(2, 'name: a'));
      const old = write('old.yaml', sized(0, 'name: a'));
      const shown = await run(...words(file, '--old', old, '--explain'));
      expect(shown.status).toBe(1);
      const [said, ...explained] = shown.error.join('').trimEnd().split('\n');
      expect(said).toContain('policy "growth" with binding "here" and parameters "most": Deny: ');
      expect(explained).toEqual([
        expect.stringMatching(
          /^ {4}spec.validations\[0\].expression: request.operation == .* => false, cost \d+$/,
        ),
        expect.stringMatching(/^ {4}spec.validations\[0\].messageExpression: .* => ".*", cost \d+$/),
      ]);
      const { out } = await run(...words(file, '--explain', '--output', 'json'));
      expect(JSON.parse(out.join(''))).toEqual({
        findings: [],
        evaluations: [
          {
            ...{ file: '/new.yaml', document: 1, line: 1, policy: 'growth', binding: 'here', params: 'most' },
            cost: expect.any(Number),
            expressions: [
              {
                field: 'spec.validations[0].expression',
                ...{
                  expression: expect.stringContaining('oldObject'),
                  value: true,
                  cost: expect.any(Number),
                },
              },
            ],
          },
        ],
      });
    });

    it('checks updates by the rules of the type', async () => {
      const fixed = (size: string, more = ''): string =>
        `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nimmutable: true\ndata: {size: "${size}"}\n${more}`;
      const old = write('old.yaml', fixed('1'));
      const vetted = (text: string) =>
        run('--vocabulary', vocabulary, '--old', old, write('changed.yaml', text));
      expect((await vetted(fixed('1'))).status).toBe(0);
      expect((await vetted(fixed('2'))).error).toEqual([
        expect.stringContaining('field is immutable when `immutable` is set'),
      ]);
      expect((await vetted(fixed('1', 'kind: ConfigMap\n'))).error).toEqual([
        expect.stringContaining('already set in map'),
      ]);
      write('old.yaml', fixed('1').replace('name: a', 'name: B'));
      expect((await vetted(fixed('1').replace('name: a', 'name: B'))).error).toEqual([
        expect.stringContaining('the object before the update: ConfigMap "B" is invalid'),
      ]);
    });

    it('updates what every server has, and kinds whose updates name a version', async () => {
      const text = `apiVersion: v1
kind: Namespace
metadata: {name: default, labels: {team: x}}
---
apiVersion: coordination.${vocabulary === 'orch' ? 'orch.io' : 'k8s.io'}/v1
kind: Lease
metadata: {name: a}
spec: {leaseDurationSeconds: 15}
`;
      const old = write('old.yaml', text);
      expect(await run('--vocabulary', vocabulary, '--old', old, write('new.yaml', text))).toMatchObject({
        ...{ status: 0, error: [] },
      });
    });

    it.each([
      [
        '--old',
        () => sized(1, 'name: z'),
        /no document of the call updates ConfigMap "z" of namespace "shop"/,
      ],
      ['--old', () => sized(1, 'name: a') + sized(2, 'name: a'), /are both ConfigMap "a"/],
      ['--old', () => '# nothing', /other.yaml contains no document/],
      ['--old', () => 'kind: x', /flag --old: .*other.yaml: the document has no apiVersion/],
      ['--namespace', () => most, /other.yaml is ConfigMap "most" of namespace "shop" and no Namespace/],
      ['--params', () => admit, /is ValidatingAdmissionPolicy "growth", which belongs to --policies/],
      ['--params', () => `${most}---\n${most}`, /stands in both .* \(document 1\) and .* \(document 2\)/],
    ])('refuses what makes no sense for %s', async (flag, text, message) => {
      const file = write('new.yaml', sized(1, 'name: a'));
      const { status, error } = await run(...words(file, flag, write('other.yaml', text())));
      expect(status).toBe(2);
      expect(error.join('')).toMatch(message);
    });

    it('refuses parameters that no policy takes', async () => {
      const policies = write('soft.yaml', policyOf('soft', 'Warn'));
      const { error } = await run('--policies', policies, '--params', write('most.yaml', most), file);
      expect(error.join('')).toContain('no policy of /soft.yaml has parameters (spec.paramKind)');
    });

    it('fails only where an object is denied', async () => {
      const policies = write('soft.yaml', policyOf('soft', 'Warn'));
      const object = write('empty.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: empty}\n');
      const { status, out } = await run('--vocabulary', vocabulary, '--policies', policies, object);
      expect(status).toBe(0);
      expect(out[1]).toContain('policy "soft" with binding "soft-here": Warn: data is wanted');
    });
  });

  it.each([
    [['--namespace', 'FILE'], /--namespace needs --policies/],
    [['--explain'], /--explain needs --policies/],
    [
      ['--policies', 'FILE', '--explain', '--output', 'sarif'],
      /--explain cannot be used with --output sarif/,
    ],
    [['--params', 'FILE'], /--params needs --policies/],
    [['--expression', 'true', '--old', 'FILE'], /--old cannot be used with --expression/],
    [['--old', '/no/such/file'], /flag --old: \/no\/such\/file cannot be read/],
    [['--policies', 'FILE', '--output', 'xml'], /"xml" is none of text, json, sarif/],
    [['--expression', 'true', '--output', 'json'], /--output cannot be used with --expression/],
    [['--policies', 'FILE'], /--policies: .*manifests.yaml contains no policy/],
    [['--policies', 'FILE', '--groups', 'dev'], /--groups needs --user/],
    [['--user', 'ann'], /--user needs --policies/],
    [['--policies', 'FILE', '--expression', 'true'], /cannot be used with --expression/],
  ])('refuses %j', async (words, text) => {
    const given = words.map((word) => (word === 'FILE' ? file : word));
    const { status, error } = await run(...given, file);
    expect(status).not.toBe(0);
    expect(error.join('')).toMatch(text);
  });

  it('knows the definitions of the same call, wherever they stand', async () => {
    const widgets = join(folder, 'widgets.yaml');
    writeFileSync(
      widgets,
      `apiVersion: example.com/v1
kind: Widget
metadata: {name: a}
spec: {size: 3}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: b}
spec: {size: many}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {size: {type: integer}}}}
`,
    );
    const { status, out, error } = await run('--vocabulary=kubernetes', widgets);
    expect(status).toBe(1);
    expect(out).toEqual([
      '/widgets.yaml (document 1): Widget "a" is valid\n',
      '/widgets.yaml (document 3): CustomResourceDefinition "widgets.example.com" is valid\n',
    ]);
    expect(error).toEqual([expect.stringContaining('spec.size: Invalid value: "string"')]);
  });

  it('evaluates an expression with the types of the kind', async () => {
    const one = join(folder, 'lease.yaml');
    writeFileSync(
      one,
      'apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: a}\nspec: {leaseDurationSeconds: 15}\n',
    );
    const ask = (text: string) => run('--vocabulary', 'kubernetes', '--expression', text, one);
    expect(await ask('self.spec.leaseDurationSeconds * 2')).toEqual({
      status: 0,
      out: ['/lease.yaml: 30 (int), cost 4 of 4 to 4\n'],
      error: [],
    });
    const wrong = await ask('object.spec.leaseDuration');
    expect(wrong.status).toBe(1);
    expect(wrong.error[0]).toContain("undefined field 'leaseDuration'");
  });

  it('stops an expression that costs more than a rule may', async () => {
    const one = join(folder, 'namespace.yaml');
    writeFileSync(one, 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n');
    const numbers = `[${Array.from({ length: 200 }, (_, i) => i).join(', ')}]`;
    const dear = `${numbers}.all(a, ${numbers}.all(b, ${numbers}.all(c, a + b + c >= 0)))`;
    expect(await run('--expression', dear, one)).toEqual({
      status: 1,
      out: [],
      error: ['/namespace.yaml: operation cancelled: actual cost limit exceeded\n'],
    });
  });

  it.each([
    [[], 'ashlar: vet needs a file\n'],
    [['/no/such/file'], 'ashlar: /no/such/file cannot be read (ENOENT)\n'],
    [['--expression'], 'ashlar: flag --expression needs a value\n'],
    [['--expression', ' ', 'file'], 'ashlar: flag --expression: the expression is empty\n'],
  ])('rejects %j', async (words, message) => {
    expect(await run(...words)).toEqual({ status: 2, out: [], error: [message] });
  });
});
