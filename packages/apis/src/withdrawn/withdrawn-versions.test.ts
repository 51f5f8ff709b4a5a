import {
  type ApiObject,
  fieldErrorText,
  type JsonObject,
  kubernetesVocabulary,
  orchVocabulary,
} from '@ashlar/core';
import { findWithdrawn, requireRelease } from '@ashlar/lifecycle';
import { describe, expect, it } from 'vitest';
import { migrateManifest } from './migrate-manifest.ts';
import { type VersionForm, versionForms } from './version-form.ts';
import { withdrawnVersions } from './withdrawn-versions.ts';

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

describe.each([
  ['orch', orchVocabulary],
  ['kubernetes', kubernetesVocabulary],
])('withdrawn versions, with the names of %s', (_, vocabulary) => {
  const withdrawn = withdrawnVersions(vocabulary);
  const forms = versionForms(withdrawn, vocabulary);
  const form = (apiVersion: string, kind: string): VersionForm => {
    const found = forms.get(`${apiVersion} ${kind}`);
    if (!found) throw new TypeError(`no ${apiVersion} ${kind}`);
    return found;
  };
  const convert = (manifest: JsonObject): ApiObject => {
    const old = form(String(manifest.apiVersion), String(manifest.kind));
    return old.toCurrent(old.decode(manifest));
  };
  const group = (name: string) => `${name}.${vocabulary.groupDomain}`;

  it('have a release that removed them', () => {
    for (const { group: of, version, current } of withdrawn) {
      const manifest = { apiVersion: `${of}/${version}`, kind: current.names.kind, metadata: { name: 'a' } };
      expect(findWithdrawn([manifest], { target: '1.32', vocabulary })).toEqual([
        expect.objectContaining({
          ...{ apiVersion: manifest.apiVersion, kind: manifest.kind, finding: 'withdrawn' },
          removed: expect.stringMatching(/^1\.\d\d$/),
        }),
      ]);
    }
  });

  it('have groups in place of versions of subjects after rbac v1alpha1, where the user * was everybody', () => {
    const rbac = group('rbac.authorization');
    const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: 'r' };
    const binding = (apiVersion: string, subjects: readonly JsonObject[]): JsonObject => ({
      ...{ apiVersion: `${rbac}/${apiVersion}`, kind: 'ClusterRoleBinding', metadata: { name: 'a' } },
      ...{ subjects, roleRef },
    });
    const old = form(`${rbac}/v1alpha1`, 'ClusterRoleBinding');
    const manifest = binding('v1alpha1', [
      { kind: 'User', name: '*' },
      { kind: 'User', name: 'jane', apiVersion: `${rbac}/v1alpha1` },
      { kind: 'Group', name: 'dev' },
      { kind: 'ServiceAccount', name: 's', namespace: 'n' },
    ]);
    const migrated = migrateManifest(manifest, old, form(`${rbac}/v1`, 'ClusterRoleBinding'));
    expect(migrated?.problems).toEqual([]);
    expect(convert(migrated?.manifest ?? {})).toMatchObject({
      subjects: [
        { kind: 'Group', name: 'system:authenticated', apiGroup: rbac },
        { kind: 'User', name: 'jane', apiGroup: rbac },
        { kind: 'Group', name: 'dev', apiGroup: rbac },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      ],
    });
    expect(JSON.stringify(migrated?.manifest)).not.toContain('v1alpha1');
  });

  it('lose nothing on the way to the stored version and back', () => {
    for (const { apiVersion, kind, decode, toCurrent, fromCurrent } of forms.values()) {
      const object = decode({ apiVersion, kind, metadata: { name: 'a' }, spec: { template } });
      const again = fromCurrent(toCurrent(fromCurrent(toCurrent(object))));
      expect(again).toEqual(fromCurrent(toCurrent(object)));
      expect([again.apiVersion, again.kind]).toEqual([apiVersion, kind]);
    }
  });

  it('keep the defaults of deployments before apps/v1', () => {
    const oldest = convert({
      apiVersion: 'extensions/v1beta1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: { template, rollbackTo: { revision: 3 } },
    });
    expect(oldest).toMatchObject({
      apiVersion: 'apps/v1',
      metadata: { labels: { app: 'a' }, annotations: { 'deprecated.deployment.rollback.to': '3' } },
      spec: {
        selector: { matchLabels: { app: 'a' } },
        strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
        progressDeadlineSeconds: 2_147_483_647,
      },
    });
    expect(oldest.spec).not.toHaveProperty('rollbackTo');
  });

  it('convert backends of ingresses, and name the fields of their version in errors', () => {
    const manifest = {
      apiVersion: 'extensions/v1beta1',
      kind: 'Ingress',
      metadata: { name: 'a', namespace: 'default' },
      spec: { backend: { serviceName: 'web', servicePort: 'no port' } },
    };
    expect(convert(manifest)).toMatchObject({
      apiVersion: `${group('networking')}/v1`,
      spec: { defaultBackend: { service: { name: 'web', port: { name: 'no port' } } } },
    });
    const old = form('extensions/v1beta1', 'Ingress');
    expect(old.createErrors(old.decode(manifest)).map(fieldErrorText)).toEqual([
      expect.stringMatching(/^spec\.backend\.servicePort: Invalid value: "no port": /),
    ]);
  });

  it('select nothing where a budget did', () => {
    const budget = { apiVersion: 'policy/v1beta1', kind: 'PodDisruptionBudget', metadata: { name: 'a' } };
    expect(convert({ ...budget, spec: { selector: {} } }).spec).toEqual({
      selector: {
        matchExpressions: [
          {
            key: `pdb.${vocabulary.labelDomain}/deprecated-v1beta1-empty-selector-match`,
            operator: 'Exists',
          },
        ],
      },
    });
  });

  it('keep the defaults of webhooks', () => {
    const old = form(`${group('admissionregistration')}/v1beta1`, 'ValidatingWebhookConfiguration');
    const webhooks = [{ name: 'a.example.com', clientConfig: { url: 'https://a' } }];
    const { apiVersion, kind } = old;
    const decoded = old.decode({ apiVersion, kind, metadata: { name: 'a' }, webhooks });
    expect(decoded).toMatchObject({
      webhooks: [
        { failurePolicy: 'Ignore', matchPolicy: 'Exact', sideEffects: 'Unknown', timeoutSeconds: 30 },
      ],
    });
    expect(old.createErrors(decoded)).toEqual([]);
  });

  it('answer with the defaults of a release', () => {
    const current = form('apps/v1', 'DaemonSet');
    const manifest = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'a' },
      spec: { selector: { matchLabels: { app: 'a' } }, template },
    };
    const rolling = (release: string) =>
      (
        current.decode(manifest, requireRelease(release)).spec as {
          updateStrategy: { rollingUpdate: object };
        }
      ).updateStrategy.rollingUpdate;
    expect(rolling('1.15')).toEqual({ maxUnavailable: 1 });
    expect(rolling('1.32')).toEqual({ maxUnavailable: 1, maxSurge: 0 });
  });
});
