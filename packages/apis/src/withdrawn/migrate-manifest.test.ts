import { readFileSync } from 'node:fs';
import { type JsonObject, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { type ManifestMigration, migrateManifest } from './migrate-manifest.ts';
import { versionForms } from './version-form.ts';
import { withdrawnVersions } from './withdrawn-versions.ts';

describe.each([
  ['orch', orchVocabulary],
  ['kubernetes', kubernetesVocabulary],
])('migrateManifest, with the names of %s', (_, vocabulary) => {
  const forms = versionForms(withdrawnVersions(vocabulary), vocabulary);
  const migrate = (manifest: JsonObject, to: string): ManifestMigration => {
    const [from, now] = [manifest.apiVersion, to].map((version) => forms.get(`${version} ${manifest.kind}`));
    const migration = from && now && migrateManifest(manifest, from, now);
    if (!migration) throw new TypeError(`${manifest.apiVersion} ${manifest.kind} cannot be migrated`);
    return migration;
  };
  const networking = `networking.${vocabulary.groupDomain}/v1`;

  it('moves fields, and adds only what changes in meaning', () => {
    const migration = migrate(
      {
        apiVersion: 'extensions/v1beta1',
        kind: 'Ingress',
        metadata: { name: 'web' },
        spec: {
          rules: [
            { host: 'a', http: { paths: [{ path: '/', backend: { serviceName: 'web', servicePort: 80 } }] } },
          ],
        },
      },
      networking,
    );
    expect(migration).toMatchObject({
      manifest: {
        apiVersion: networking,
        kind: 'Ingress',
        metadata: { name: 'web' },
        spec: {
          rules: [
            {
              host: 'a',
              http: {
                paths: [
                  {
                    path: '/',
                    pathType: 'ImplementationSpecific',
                    backend: { service: { name: 'web', port: { number: 80 } } },
                  },
                ],
              },
            },
          ],
        },
      },
      problems: [],
    });
    expect(Object.keys(migration.manifest)).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
  });

  it('writes out defaults that changed', () => {
    const template = {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    };
    const { manifest } = migrate(
      { apiVersion: 'apps/v1beta1', kind: 'StatefulSet', metadata: { name: 'a' }, spec: { template } },
      'apps/v1',
    );
    expect(manifest).toMatchObject({
      spec: { template, selector: { matchLabels: { app: 'a' } }, updateStrategy: { type: 'OnDelete' } },
    });
  });

  it('keeps fields that no version knows, and says what a server would refuse', () => {
    const { manifest, problems } = migrate(
      {
        apiVersion: `admissionregistration.${vocabulary.groupDomain}/v1beta1`,
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'a' },
        note: 'mine',
        webhooks: [{ name: 'a.example.com', clientConfig: { url: 'https://a.example.com' } }],
      },
      `admissionregistration.${vocabulary.groupDomain}/v1`,
    );
    expect(manifest.note).toBe('mine');
    expect(problems).toEqual([
      'webhooks[0].sideEffects: Unsupported value: "Unknown": supported values: "None", "NoneOnDryRun"',
    ]);
  });
});

describe('migrateManifest', () => {
  it('makes of every recorded manifest one that means the same', () => {
    const forms = versionForms(withdrawnVersions(kubernetesVocabulary), kubernetesVocabulary);
    const lines = readFileSync(
      new URL('../../../../conformance/oracles/lifecycle.jsonl', import.meta.url),
      'utf8',
    ).split('\n');
    let migrated = 0;
    for (const line of lines.filter((text) => text.includes('"suite":"convert"'))) {
      const { id, from, to, kind, manifest } = JSON.parse(line) as Record<string, string> & {
        readonly manifest: JsonObject;
      };
      const [old, now] = [forms.get(`${from} ${kind}`), forms.get(`${to} ${kind}`)];
      if (!old || !now) continue;
      const migration = migrateManifest(manifest, old, now);
      expect([id, migration?.manifest.apiVersion]).toEqual([id, to]);
      if (!migration) continue;
      expect(migrateManifest(migration.manifest, now, now)?.manifest).toEqual(migration.manifest);
      migrated++;
    }
    expect(migrated).toBeGreaterThan(600);
  });
});
