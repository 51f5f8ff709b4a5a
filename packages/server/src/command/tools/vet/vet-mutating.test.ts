import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../command.ts';

const rules =
  'resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [configmaps]}]';

const POLICIES = `apiVersion: admissionregistration.orch.io/v1alpha1
kind: MutatingAdmissionPolicy
metadata: {name: paint}
spec:
  reinvocationPolicy: Never
  failurePolicy: Fail
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints: {${rules}}
  matchConditions: [{name: colored, expression: "has(object.data)"}]
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: 'Object{metadata: Object.metadata{labels: Object.metadata.labels{painter: request.userInfo.username}}}'
  - patchType: JSONPatch
    jsonPatch:
      expression: '[JSONPatch{op: "replace", path: "/data/color", value: params.data.color}]'
---
apiVersion: admissionregistration.orch.io/v1alpha1
kind: MutatingAdmissionPolicyBinding
metadata: {name: everywhere}
spec: {policyName: paint, paramRef: {name: colors, namespace: shop, parameterNotFoundAction: Deny}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: colors, namespace: shop}
data: {color: green}
---
apiVersion: admissionregistration.orch.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-blue}
spec:
  failurePolicy: Fail
  matchConstraints: {${rules}}
  validations: [{expression: "!has(object.data) || object.data.color != 'blue'"}]
---
apiVersion: admissionregistration.orch.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: strict}
spec: {policyName: no-blue, validationActions: [Deny]}
`;

const map = (name: string, rest: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: shop}\n${rest}\n`;

describe('ashlar vet with mutating policies', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ashlar-vet-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  const run = async (...words: readonly string[]) => {
    let out = '';
    const print = (text: string): void => {
      out += text.replaceAll(`${folder}/`, '');
    };
    const { signal } = new AbortController();
    const status = await runCommand(['vet', ...words], { stdout: print, stderr: print, signal });
    return { status, lines: out.trimEnd().split('\n') };
  };

  it('shows what they change, and asks validating policies about the changed object', async () => {
    const manifests = file('maps.yaml', [map('a', 'data: {color: blue}'), map('b', '')].join('---\n'));
    const policies = file('policies.yaml', POLICIES);
    const { status, lines } = await run('--policies', policies, '--user', 'anna', manifests);
    expect(lines).toEqual([
      'maps.yaml (document 1): ConfigMap "a" is valid',
      expect.stringMatching(
        /^maps.yaml \(document 1\): policy "paint" with binding "everywhere" and parameters "colors" changes metadata\.labels, data\.color, cost \d+$/,
      ),
      expect.stringMatching(/policy "no-blue" with binding "strict" holds, cost \d+$/),
      'maps.yaml (document 2): ConfigMap "b" is valid',
      'maps.yaml (document 2): policy "paint" with binding "everywhere" and parameters "colors" changes nothing, cost 0',
      expect.stringMatching(/policy "no-blue" with binding "strict" holds, cost \d+$/),
    ]);
    expect(status).toBe(0);
  });

  it('explains the values of their expressions', async () => {
    const policies = file('policies.yaml', POLICIES);
    const manifests = file('map.yaml', map('a', 'data: {color: blue}'));
    const { lines } = await run('--policies', policies, '--user', 'anna', '--explain', manifests);
    expect(lines.filter((line) => line.startsWith('    '))).toEqual([
      expect.stringMatching(
        /^ +spec\.matchConditions\[0\]\.expression: has\(object\.data\) => true, cost \d+$/,
      ),
      expect.stringMatching(
        /applyConfiguration\.expression: .* => \{"metadata":\{"labels":\{"painter":"anna"\}\}\}, cost \d+$/,
      ),
      expect.stringMatching(
        /jsonPatch\.expression: .* => \[\{"op":"replace","path":"\/data\/color","value":"green"\}\], cost \d+$/,
      ),
      expect.stringMatching(/spec\.validations\[0\]\.expression: .* => true, cost \d+$/),
    ]);
  });

  it('rejects a document that a policy fails for, or that it makes invalid, unless failures are ignored', async () => {
    const manifests = file('map.yaml', map('a', 'immutable: true'));
    const conditions = '  matchConditions: [{name: colored, expression: "has(object.data)"}]\n';
    const failing = POLICIES.replace(conditions, '');
    const failed = await run('--policies', file('failing.yaml', failing), manifests);
    expect([failed.status, failed.lines]).toEqual([
      1,
      [expect.stringMatching(/^map.yaml: policy "paint" .* fails: JSON Patch: .*, cost \d+$/)],
    ]);
    const ignored = failing.replace('failurePolicy: Fail', 'failurePolicy: Ignore');
    // what its other mutation did stays
    const passed = await run('--policies', file('ignored.yaml', ignored), '--user', 'anna', manifests);
    expect([passed.status, passed.lines[1]]).toEqual([0, expect.stringContaining('fails, which is ignored')]);
    const wrong = POLICIES.replace(conditions, '').replace(
      '/data/color", value: params.data.color',
      '/immutable", value: "x"',
    );
    const invalid = await run('--policies', file('invalid.yaml', wrong), manifests);
    expect([invalid.status, invalid.lines[0]]).toEqual([
      1,
      expect.stringContaining(
        'cannot unmarshal string into Go struct field ConfigMap.immutable of type bool',
      ),
    ]);
  });

  it('refuses a policy that no server would store', async () => {
    const manifests = file('map.yaml', map('a', ''));
    const policies = file('broken.yaml', POLICIES.replace('params.data.color', 'nothing'));
    const { status, lines } = await run('--policies', policies, manifests);
    expect(status).toBe(2);
    expect(lines[0]).toContain(
      'flag --policies: MutatingAdmissionPolicy "paint" is invalid: spec.mutations[1].jsonPatch.expression: Invalid value',
    );
  });

  it('asks about updates', async () => {
    const policies = file('policies.yaml', POLICIES);
    const old = file('old.yaml', map('a', 'data: {color: red}'));
    const manifests = file('map.yaml', map('a', 'data: {color: blue}'));
    const { status, lines } = await run(
      ...['--policies', policies, '--user', 'anna', '--old', old, '--output', 'json', manifests],
    );
    expect([status, JSON.parse(lines.join(''))]).toEqual([0, { findings: [] }]);
  });
});
