import type { AdmissionRequest } from '@ashlar/admission';
import { type ApiObject, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { podOf, underTest } from './admission.fixture.ts';
import { createPodSecurity } from './pod-security.ts';
import type { PodSecurityExemptions } from './pod-security-options.ts';

const NAMESPACES = { resource: { group: '', version: 'v1', resource: 'namespaces' } };

describe.each([kubernetesVocabulary, orchVocabulary])('pod security in vocabulary $name', (vocabulary) => {
  const prefix = `pod-security.${vocabulary.labelDomain}/`;
  const namespaceOf = (modes: Readonly<Record<string, string>>): ApiObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: 'n',
      labels: Object.fromEntries(Object.entries(modes).map(([mode, value]) => [prefix + mode, value])),
    },
  });
  const securing = (
    modes: Readonly<Record<string, string>> | undefined,
    { exemptions, pods = [] }: { exemptions?: PodSecurityExemptions; pods?: readonly ApiObject[] } = {},
  ) =>
    underTest(
      createPodSecurity({
        ambient: {
          vocabulary,
          clock: createSteppedClock(0),
          random: { bytes: (bytes) => bytes },
        },
        ...(exemptions && { exemptions }),
        namespace: () => modes && namespaceOf(modes),
        podsOf: () => pods,
      }),
    );
  const plain = podOf({ containers: [{ name: 'c', image: 'i' }] });
  const onNode = podOf({ containers: [{ name: 'c', image: 'i' }], hostNetwork: true });

  it('refuses, warns and notes by the labels of the namespace', async () => {
    const strict = securing({ enforce: 'baseline', audit: 'restricted', warn: 'restricted' });
    await expect(strict.admit(onNode)).rejects.toThrow(
      'pods "a" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    );
    await strict.admit(plain);
    expect(strict.warnings).toEqual([
      expect.stringContaining('would violate PodSecurity "restricted:latest"'),
    ]);
    expect(strict.annotations.get(`${prefix}enforce-policy`)).toBe('baseline:latest');
    expect(strict.annotations.get(`${prefix}audit-violations`)).toContain('runAsNonRoot != true');
  });

  it('asks nothing of namespaces without labels, and warns by the enforced level', async () => {
    const free = securing({});
    await free.admit(onNode);
    expect([...free.annotations]).toEqual([[`${prefix}enforce-policy`, 'privileged:latest']]);
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } };
    const deployment = { ...owner, spec: { template: { spec: { hostPID: true } } } } as ApiObject;
    const strict = securing({ enforce: 'baseline', 'enforce-version': 'v1.20' });
    await strict.admit(deployment, { resource: { group: 'apps', version: 'v1', resource: 'deployments' } });
    expect(strict.warnings).toEqual([
      'would violate PodSecurity "baseline:v1.20": host namespaces (hostPID=true)',
    ]);
  });

  it('does not ask updates that leave the images', async () => {
    const strict = securing({ enforce: 'baseline' });
    await strict.admit(onNode, { operation: 'UPDATE', oldObject: onNode });
    const other = podOf({ containers: [{ name: 'c', image: 'j' }], hostNetwork: true });
    await expect(strict.admit(other, { operation: 'UPDATE', oldObject: onNode })).rejects.toThrow('violates');
    const added = podOf({ ...onNode, ephemeralContainers: [{ name: 'e', image: 'i' }], hostPID: true });
    await expect(
      strict.admit(added, { operation: 'UPDATE', oldObject: podOf({}), subresource: 'ephemeralcontainers' }),
    ).rejects.toThrow('violates');
  });

  it.each<[PodSecurityExemptions, string]>([
    [{ namespaces: ['n'], usernames: [], runtimeClasses: [] }, 'namespace'],
    [{ namespaces: [], usernames: ['u'], runtimeClasses: [] }, 'user'],
    [{ namespaces: [], usernames: [], runtimeClasses: ['r'] }, 'runtimeClass'],
  ])('%j are exempt', async (exemptions, why) => {
    const strict = securing({ enforce: 'restricted' }, { exemptions });
    await strict.admit(podOf({ hostNetwork: true, runtimeClassName: 'r' }));
    expect(strict.annotations.get(`${prefix}exempt`)).toBe(why);
  });

  it('enforces the strictest standard where labels are wrong, and notes why', async () => {
    const wrong = securing({ enforce: 'strict' });
    await expect(wrong.admit(plain)).rejects.toThrow('violates PodSecurity "restricted:latest"');
    expect(wrong.annotations.get(`${prefix}error`)).toContain(
      'must be one of privileged, baseline, restricted',
    );
    await expect(securing(undefined).admit(plain)).rejects.toThrow('failed to lookup namespace "n"');
  });

  it('refuses wrong labels, unless they were wrong before', async () => {
    const create = (modes: Readonly<Record<string, string>>, more: Partial<AdmissionRequest> = {}) =>
      securing({}).admit(namespaceOf(modes), { ...NAMESPACES, ...more });
    const wrong = { 'warn-version': 'v1' };
    await expect(create(wrong)).rejects.toThrow(
      `metadata.labels[${prefix}warn-version]: Invalid value: "v1": must be "latest" or "v1.x"`,
    );
    await create(wrong, { operation: 'UPDATE', oldObject: namespaceOf(wrong) });
    await expect(create(wrong, { operation: 'UPDATE', oldObject: namespaceOf({}) })).rejects.toThrow(
      'latest',
    );
  });

  it('warns of existing pods when a namespace becomes stricter', async () => {
    const named = (name: string) => ({ ...onNode, metadata: { name } });
    const pods = [named('z'), named('y'), named('x'), { ...plain, metadata: { name: 'w' } }];
    const stricter = securing({}, { pods });
    await stricter.admit(namespaceOf({ enforce: 'baseline' }), {
      ...NAMESPACES,
      ...{ operation: 'UPDATE', oldObject: namespaceOf({}) },
    });
    expect(stricter.warnings).toEqual([
      'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
      'x (and 2 other pods): host namespaces',
    ]);
    const same = securing({}, { pods });
    const before = namespaceOf({ enforce: 'restricted' });
    await same.admit(namespaceOf({ enforce: 'baseline' }), {
      ...{ ...NAMESPACES, operation: 'UPDATE', oldObject: before },
    });
    expect(same.warnings).toEqual([]);
  });

  it('warns that labels of an exempt namespace do nothing', async () => {
    const exemptions = { namespaces: ['n'], usernames: [], runtimeClasses: [] };
    const exempt = securing({}, { exemptions });
    await exempt.admit(namespaceOf({ enforce: 'baseline', warn: 'restricted' }), NAMESPACES);
    expect(exempt.warnings).toEqual([
      'namespace "n" is exempt from Pod Security, and the policy (enforce=baseline:latest, warn=restricted:latest) will be ignored',
    ]);
  });
});
