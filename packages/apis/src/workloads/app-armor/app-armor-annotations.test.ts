import { fieldErrorText, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { Pod, PodSpec } from '../core/pod-types.ts';
import { podTemplateErrors } from '../pods/pod-spec.ts';
import { podUpdateErrors } from '../pods/pod-updates.ts';
import { podErrors } from '../pods/pod-validation.ts';
import { appArmorWarnings, withAppArmorProfiles } from './app-armor-annotations.ts';

describe.each([kubernetesVocabulary, orchVocabulary])(
  'AppArmor profiles in vocabulary $name',
  (vocabulary) => {
    const key = `container.apparmor.security.beta.${vocabulary.labelDomain}/c`;
    const pod = (spec: PodSpec, annotation?: string): Pod => ({
      ...{ apiVersion: 'v1', kind: 'Pod' },
      metadata: { name: 'p', ...(annotation !== undefined && { annotations: { [key]: annotation } }) },
      spec,
    });
    const profiled = (appArmorProfile?: object) => ({
      name: 'c',
      ...(appArmorProfile && { securityContext: { appArmorProfile } }),
    });
    const synced = (spec: PodSpec, annotation?: string) =>
      withAppArmorProfiles(pod(spec, annotation), vocabulary);
    const warned = (spec: PodSpec, annotation?: string) =>
      appArmorWarnings(pod(spec, annotation), vocabulary).length > 0;

    it('of annotations are those of containers without a field, with a warning', () => {
      for (const [annotation, profile] of [
        ['unconfined', { type: 'Unconfined' }],
        ['runtime/default', { type: 'RuntimeDefault' }],
        ['localhost/x', { type: 'Localhost', localhostProfile: 'x' }],
      ] as const) {
        const spec = { initContainers: [{ name: 'i' }], containers: [profiled()] };
        expect(synced(spec, annotation)).toEqual(
          pod({ ...spec, containers: [profiled(profile)] }, annotation),
        );
        expect(warned(spec, annotation)).toBe(true);
      }
    });

    it('of annotations are left alone where there is a field, or the pod says the same', () => {
      const own = { containers: [profiled({ type: 'Unconfined' })] };
      const same = {
        securityContext: { appArmorProfile: { type: 'RuntimeDefault' } },
        containers: [profiled()],
      };
      for (const spec of [own, same]) {
        const given = pod(spec, 'runtime/default');
        expect(withAppArmorProfiles(given, vocabulary)).toBe(given);
        expect(warned(spec, 'runtime/default')).toBe(false);
      }
    });

    it('of invalid annotations are not copied, with a warning', () => {
      for (const annotation of ['', 'odd', 'localhost/', 'localhost/ x']) {
        const given = pod({ containers: [profiled()] }, annotation);
        expect(withAppArmorProfiles(given, vocabulary)).toBe(given);
        expect(appArmorWarnings(given, vocabulary)).toEqual([
          `metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
        ]);
      }
    });

    it('have to be known, of containers, and the same in both places', () => {
      const errors = (spec: PodSpec, annotation: string) => {
        const given = pod(spec, annotation);
        const ofPod = podErrors(given, vocabulary).map(fieldErrorText);
        const ofTemplate = podTemplateErrors(given, vocabulary, 'template').map(fieldErrorText);
        const about = (texts: readonly string[]) =>
          texts
            .filter((text) => /apparmor|container not found/i.test(text))
            .map((text) => text.replace(/^template\.spec/, 'spec'));
        expect(about(ofTemplate).map((text) => text.replace(/^template/, 'metadata'))).toEqual(about(ofPod));
        return about(ofPod);
      };
      const own = (profile?: object) => ({ containers: [profiled(profile)] });
      expect(errors(own(), 'odd')).toEqual([
        `metadata.annotations[${key}]: Invalid value: "odd": invalid AppArmor profile name: "odd"`,
      ]);
      expect(errors({ containers: [{ name: 'd' }] }, 'unconfined')).toEqual([
        `metadata.annotations[${key}]: Invalid value: "c": container not found`,
      ]);
      const place = 'spec.containers[0].securityContext.appArmorProfile';
      expect(errors(own({ type: 'Unconfined' }), 'runtime/default')).toEqual([
        `${place}.type: Forbidden: apparmor type in annotation and field must match`,
      ]);
      expect(errors(own({ type: 'Localhost', localhostProfile: 'x' }), 'localhost/y')).toEqual([
        `${place}.localhostProfile: Forbidden: apparmor profile in annotation and field must match`,
      ]);
      expect(errors(own({ type: 'Localhost', localhostProfile: 'x' }), 'localhost/x')).toEqual([]);
    });

    it('of annotations are immutable', () => {
      const changes = (from: string | undefined, to: string | undefined) =>
        podUpdateErrors(
          pod({ containers: [profiled()] }, to),
          pod({ containers: [profiled()] }, from),
          vocabulary,
        )
          .map(fieldErrorText)
          .filter((text) => text.includes('AppArmor'));
      expect(changes('unconfined', 'unconfined')).toEqual([]);
      expect(changes('unconfined', undefined)).toEqual([
        `metadata.annotations[${key}]: Forbidden: may not remove or update AppArmor annotations`,
      ]);
      expect(changes(undefined, 'unconfined')).toEqual([
        `metadata.annotations[${key}]: Forbidden: may not add AppArmor annotations`,
      ]);
    });

    it('of fields, or of the pod, are annotations', () => {
      const annotations = (spec: PodSpec) => synced(spec).metadata.annotations;
      const profile = { type: 'Localhost', localhostProfile: 'x' };
      expect(annotations({ containers: [profiled(profile)] })).toEqual({ [key]: 'localhost/x' });
      const ofPod = { securityContext: { appArmorProfile: { type: 'Unconfined' } } };
      expect(annotations({ ...ofPod, ephemeralContainers: [profiled()] })).toEqual({ [key]: 'unconfined' });
      expect(annotations({ ...ofPod, containers: [profiled(profile)] })).toEqual({ [key]: 'localhost/x' });
      const windows = { ...ofPod, os: { name: 'windows' }, containers: [profiled()] };
      expect(annotations(windows)).toBeUndefined();
      expect(warned(windows, 'unconfined')).toBe(false);
    });
  },
);
