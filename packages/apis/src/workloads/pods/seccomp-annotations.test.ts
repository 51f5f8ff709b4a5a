import { type FieldError, fieldErrorText, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { podTemplateErrors } from './pod-spec.ts';
import { podUpdateErrors } from './pod-updates.ts';
import { podErrors } from './pod-validation.ts';

const spec = { containers: [{ name: 'c', image: 'i' }] };

describe.each([kubernetesVocabulary, orchVocabulary])('seccomp annotations of $name', (vocabulary) => {
  const ofPod = `seccomp.security.alpha.${vocabulary.labelDomain}/pod`;
  const ofContainer = (name: string) => `container.seccomp.security.alpha.${vocabulary.labelDomain}/${name}`;
  const pod = (annotations: Record<string, string>) => ({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n', annotations }, spec },
  });
  const seccompErrors = (errors: readonly FieldError[]) =>
    errors
      .map(fieldErrorText)
      .filter((text) => text.includes('.seccomp.') || text.includes('seccomp profile'));
  const texts = (annotations: Record<string, string>) =>
    seccompErrors(podErrors(pod(annotations), vocabulary));

  it.each(['runtime/default', 'docker/default', 'unconfined', 'localhost/a/b', 'localhost/'])(
    '%s is a profile, also of a container that is not there',
    (profile) => {
      expect(texts({ [ofPod]: profile, [ofContainer('none')]: profile })).toEqual([]);
    },
  );

  it.each([
    ['', '"": must be a valid seccomp profile'],
    ['bad', '"bad": must be a valid seccomp profile'],
    ['localhost//x', '"/x": must be a relative path'],
    ['localhost/a/../b', `"a/../b": must not contain '..'`],
  ])('%j is none', (profile, why) => {
    for (const key of [ofPod, ofContainer('c')])
      expect(texts({ [key]: profile })).toEqual([`metadata.annotations.${key}: Invalid value: ${why}`]);
  });

  it('are validated in templates and in updates (twice, as on the reference) too, that of the pod first', () => {
    const annotations = { [ofContainer('b')]: 'x', [ofContainer('a')]: 'y', [ofPod]: 'z' };
    const fields = texts(annotations).map((text) => text.slice(0, text.indexOf(': ')));
    expect(fields).toEqual(
      [ofPod, ofContainer('a'), ofContainer('b')].map((key) => `metadata.annotations.${key}`),
    );
    const template = podTemplateErrors({ metadata: { annotations }, spec }, vocabulary, 'spec.template');
    expect(seccompErrors(template)).toHaveLength(3);
    const changed = podUpdateErrors(pod(annotations), pod({}), vocabulary);
    expect(seccompErrors(changed).filter((text) => text.includes('valid seccomp profile'))).toHaveLength(6);
  });

  const [type, name] = [
    'seccomp type in annotation and field must match',
    'seccomp profile in annotation and field must match',
  ];
  it.each([
    [{ type: 'RuntimeDefault' }, 'docker/default', undefined],
    [{ type: 'RuntimeDefault' }, 'unconfined', `.type: Forbidden: ${type}`],
    [{ type: 'Unconfined' }, 'unconfined', undefined],
    [{ type: 'Unconfined' }, 'localhost/a', `.type: Forbidden: ${type}`],
    [{ type: 'Localhost', localhostProfile: 'a' }, 'localhost/a', undefined],
    [{ type: 'Localhost', localhostProfile: 'a' }, 'localhost/b', `.localhostProfile: Forbidden: ${name}`],
    [{ type: 'Localhost', localhostProfile: 'a' }, 'unconfined', `.type: Forbidden: ${type}`],
  ])('match the field %j: %s', (seccompProfile, annotation, error) => {
    const securityContext = { seccompProfile };
    const annotations = { [ofPod]: annotation, [ofContainer('c')]: annotation };
    const profiled = { securityContext, containers: [{ ...spec.containers[0], name: 'c', securityContext }] };
    const fields = ['spec', 'spec.containers[0]'].map((at) => `${at}.securityContext.seccompProfile`);
    const expected = error === undefined ? [] : fields.map((field) => field + error);
    const ofNew = podErrors({ ...pod(annotations), spec: profiled }, vocabulary).map(fieldErrorText);
    expect(ofNew.filter((text) => text.includes('must match'))).toEqual(expected);
    const template = { metadata: { annotations }, spec: profiled };
    const ofTemplate = podTemplateErrors(template, vocabulary, 'template').map(fieldErrorText);
    expect(ofTemplate.filter((text) => text.includes('must match'))).toEqual(
      expected.map((text) => `template.${text}`),
    );
  });
});
