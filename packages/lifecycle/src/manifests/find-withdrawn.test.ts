import { type JsonValue, kubernetesVocabulary } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requireRelease } from '../releases/release.ts';
import { resourcesOfRelease, versionsOfRelease } from '../releases/served-versions.ts';
import { findWithdrawn } from './find-withdrawn.ts';

const manifest = (apiVersion: string, kind: string, name = 'a'): JsonValue => ({
  apiVersion,
  kind,
  metadata: { name },
});
const find = (target: string, ...manifests: JsonValue[]) => findWithdrawn(manifests, { target });

describe('findWithdrawn', () => {
  it.each([['orch.io'], ['k8s.io']])(
    'says since when a version is gone, and what replaces it, in the words of %s',
    (domain) => {
      expect(find('1.32', manifest(`networking.${domain}/v1beta1`, 'Ingress'))).toEqual([
        {
          finding: 'withdrawn',
          apiVersion: `networking.${domain}/v1beta1`,
          kind: 'Ingress',
          name: 'a',
          index: 0,
          deprecated: '1.19',
          removed: '1.22',
          replacement: { apiVersion: `networking.${domain}/v1`, since: '1.19' },
          changes: [
            'spec.backend is named spec.defaultBackend',
            'serviceName and servicePort of backends are service.name and service.port.number or service.port.name',
            'pathType is required; ImplementationSpecific is what paths were without it',
          ],
          message: `networking.${domain}/v1beta1 is not served since v1.22, deprecated since v1.19; use networking.${domain}/v1, served since v1.19`,
        },
      ]);
    },
  );

  it('follows replacements to one that the release serves', () => {
    const level = manifest('flowcontrol.apiserver.k8s.io/v1beta1', 'FlowSchema');
    const replacements = ['1.26', '1.29', '1.32'].map(
      (target) => find(target, level)[0]?.replacement?.apiVersion,
    );
    expect(replacements).toEqual([
      'flowcontrol.apiserver.k8s.io/v1beta3',
      'flowcontrol.apiserver.k8s.io/v1',
      'flowcontrol.apiserver.k8s.io/v1',
    ]);
  });

  it('finds what is deprecated, and what is not served yet', () => {
    const job = manifest('batch/v1beta1', 'CronJob');
    expect(find('1.20', job)).toEqual([]);
    expect(find('1.21', job)[0]).toMatchObject({ finding: 'deprecated', removed: '1.25' });
    expect(find('1.25', job)[0]).toMatchObject({ finding: 'withdrawn' });
    expect(find('1.20', manifest('batch/v1', 'CronJob'))[0]).toMatchObject({
      finding: 'not served yet',
      message: 'batch/v1 is not served before v1.21',
    });
  });

  it('calls withdrawn what left before its mark', () => {
    for (const [target, apiVersion, kind, removed] of [
      ['1.32', 'networking.k8s.io/v1alpha1', 'IPAddress', '1.31'],
      ['1.31', 'networking.k8s.io/v1alpha1', 'ServiceCIDR', '1.31'],
      ['1.32', 'coordination.k8s.io/v1alpha1', 'LeaseCandidate', '1.32'],
      ['1.29', 'networking.k8s.io/v1alpha1', 'ClusterCIDR', '1.29'],
      ['1.23', 'storage.k8s.io/v1alpha1', 'VolumeAttachment', '1.23'],
    ] as const)
      expect(find(target, manifest(apiVersion, kind))).toEqual([
        expect.objectContaining({ finding: 'withdrawn', removed }),
      ]);
    expect(find('1.30', manifest('networking.k8s.io/v1alpha1', 'IPAddress'))).toEqual([
      expect.objectContaining({ finding: 'deprecated' }),
    ]);
  });

  it('knows kinds without a successor', () => {
    const [finding] = find('1.25', manifest('policy/v1beta1', 'PodSecurityPolicy'));
    expect(finding).toMatchObject({ finding: 'withdrawn', changes: [expect.stringMatching(/pod security/)] });
    expect(finding).not.toHaveProperty('replacement');
    expect(find('1.20', manifest('settings.k8s.io/v1alpha1', 'PodPreset'))[0]?.removed).toBe('1.20');
  });

  it('searches lists, and skips kinds of others', () => {
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      items: [manifest('extensions/v1beta1', 'Deployment', 'b'), null],
    };
    expect(find('1.32', manifest('example.com/v1', 'Ingress'), list)).toMatchObject([
      { name: 'b', index: 1 },
    ]);
    expect(() => find('latest')).toThrow(TypeError);
  });

  it('finds nothing about what a release enables, unless it is deprecated', () => {
    for (const target of ['1.16', '1.21', '1.25', '1.32']) {
      const release = requireRelease(target);
      for (const apiVersion of versionsOfRelease(release, kubernetesVocabulary).enabled)
        for (const { kind, enabled } of resourcesOfRelease(apiVersion, release, kubernetesVocabulary))
          for (const { finding } of find(target, manifest(apiVersion, kind)))
            if (enabled) expect([apiVersion, kind, finding]).toEqual([apiVersion, kind, 'deprecated']);
    }
  });

  it('takes every value', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue() as fc.Arbitrary<JsonValue>), (values) => {
        for (const { index } of find('1.32', ...values)) expect(index).toBeLessThan(values.length);
      }),
    );
  });
});
