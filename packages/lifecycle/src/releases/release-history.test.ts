import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { deprecationWarning } from './deprecation-warning.ts';
import { parseRelease, requireRelease } from './release.ts';
import { marksOf, releaseHistory } from './release-history.ts';
import { withoutRemoved } from './removed-resources.ts';
import { resourcesOfRelease, versionsOfRelease } from './served-versions.ts';
import { typeState } from './type-state.ts';

describe.each([
  ['orch', orchVocabulary],
  ['kubernetes', kubernetesVocabulary],
])('the history of releases, with the names of %s', (_, vocabulary) => {
  const networking = `networking.${vocabulary.groupDomain}`;

  it('knows which versions a release serves', () => {
    const { known, enabled } = versionsOfRelease(requireRelease('1.21'), vocabulary);
    expect(enabled).toContain(`${networking}/v1beta1`);
    expect(known).toContain(`rbac.authorization.${vocabulary.groupDomain}/v1alpha1`);
    expect(enabled).not.toContain(`rbac.authorization.${vocabulary.groupDomain}/v1alpha1`);
    expect(versionsOfRelease(requireRelease('1.22'), vocabulary).enabled).not.toContain('extensions/v1beta1');
  });

  it('knows the resources of a version in a release', () => {
    const names = (release: string) =>
      resourcesOfRelease('extensions/v1beta1', requireRelease(release), vocabulary).map(({ name }) => name);
    expect(names('1.18')).toEqual(['ingresses', 'ingresses/status']);
    expect(names('1.15')).toContain('deployments/rollback');
    expect(names('1.22')).toEqual([]);
  });

  it('words the warning of a release', () => {
    const ingress = { groupVersion: 'extensions/v1beta1', kind: 'Ingress' };
    const marks = marksOf(ingress, vocabulary, requireRelease('1.21')) ?? {};
    expect(deprecationWarning(ingress, marks)).toBe(
      `extensions/v1beta1 Ingress is deprecated in v1.14+, unavailable in v1.22+; use ${networking}/v1 Ingress`,
    );
    expect(deprecationWarning({ groupVersion: 'v1', kind: 'Pod' }, {})).toBeUndefined();
  });

  it('gives the marks of the release that is asked', () => {
    const autoscaler = { groupVersion: 'autoscaling/v2beta2', kind: 'HorizontalPodAutoscaler' };
    const removed = (release: string) => marksOf(autoscaler, vocabulary, requireRelease(release))?.removed;
    expect([removed('1.15'), removed('1.21'), removed('1.22'), removed('1.32')]).toEqual([
      '1.25',
      '1.25',
      '1.26',
      '1.26',
    ]);
    expect(marksOf({ groupVersion: 'example.com/v1', kind: 'Widget' }, vocabulary)).toBeUndefined();
  });

  it('leaves out what a release removed, and versions without resources', () => {
    const resources = { v1: { ingresses: 'Ingress' }, v1beta1: { ingresses: 'Ingress' } };
    const left = (text: string, options = {}) =>
      Object.keys(withoutRemoved(networking, resources, requireRelease(text), { vocabulary, ...options }));
    expect(left('1.18')).toEqual(['v1beta1']);
    expect(left('1.21')).toEqual(['v1', 'v1beta1']);
    expect(left('1.22')).toEqual(['v1']);
    expect(left('1.22.0-alpha.1')).toEqual(['v1', 'v1beta1']);
    expect(left('1.22.0-alpha.1', { strictInAlpha: true })).toEqual(['v1']);
    expect(left('1.22', { oneReleaseMore: true })).toEqual(['v1', 'v1beta1']);
    expect(left('1.23', { oneReleaseMore: true })).toEqual(['v1']);
  });
});

describe('the history of releases', () => {
  it('has a scope, verbs and releases for every resource', () => {
    for (const { name, kind, verbs, served, enabled } of releaseHistory(orchVocabulary).resources) {
      expect([name, kind, verbs.length > 0]).toEqual([
        expect.any(String),
        expect.stringMatching(/[A-Z]/),
        true,
      ]);
      for (const span of [served, ...enabled]) expect(span.from.minor).toBeLessThanOrEqual(span.to.minor);
    }
  });

  it('keeps what is not marked', () => {
    expect(typeState({}, requireRelease('1.99'))).toEqual({ deprecated: false, refused: false });
  });

  it('reads releases', () => {
    expect(parseRelease('v1.32.13')).toEqual({ major: 1, minor: 32, alpha: false });
    expect(parseRelease('1.16.0-alpha.1')).toEqual({ major: 1, minor: 16, alpha: true });
    for (const text of ['', '1', 'latest', '1.x', '1.2.3.4']) expect(parseRelease(text)).toBeUndefined();
    expect(() => requireRelease('latest')).toThrow(new TypeError('"latest" is no release such as 1.32'));
  });
});
