import type { AdmissionRequest } from '@ashlar/admission';
import { type ApiObject, orchVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import type { Pod, PodSpec } from '../workloads/core/pod-types.ts';
import { createServiceAccountAdmission } from './service-account-admission.ts';

/** There is one round only. */
const onlyRound = { round: 0, again() {}, remember() {}, remembered: () => undefined } as const;

const accounts: Record<string, object> = {
  default: { imagePullSecrets: [{ name: 'pull' }] },
  shy: { automountServiceAccountToken: false },
  strict: {
    metadata: { annotations: { 'orch.io/enforce-mountable-secrets': 'true' } },
    ...{ secrets: [{ name: 'own' }], imagePullSecrets: [{ name: 'pull' }] },
  },
};

const accountOf = (name: string): ApiObject | undefined => {
  const { metadata = {}, ...rest } = (accounts[name] ?? {}) as { readonly metadata?: object };
  return (
    accounts[name] && { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, ...metadata }, ...rest }
  );
};

const clock = createSteppedClock();
const ambient = { clock, random: { bytes: (into: Uint8Array) => into.fill(0) }, vocabulary: orchVocabulary };
const plugin = createServiceAccountAdmission({ ambient, serviceAccount: (_, name) => accountOf(name) });

const container = { name: 'c', image: 'i' };
const MIRROR = { annotations: { 'orch.io/config.mirror': 'x' } };

function requestFor(
  spec: PodSpec,
  metadata: object = {},
  changes: Partial<AdmissionRequest> = {},
): AdmissionRequest {
  const object: Pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', ...metadata } },
    spec: { containers: [container], ...spec },
  };
  return {
    ...{ operation: 'CREATE', subresource: '', namespace: 'ns', name: 'p', object, dryRun: false },
    resource: { group: '', version: 'v1', resource: 'pods' },
    kind: { group: '', version: 'v1', kind: 'Pod' },
    ...{ user: { name: 'anna', groups: [] }, warn: () => {}, annotate: () => {} },
    ...changes,
  };
}

/** The pod after admission. */
async function admitted(spec: PodSpec, metadata?: object, asked = plugin): Promise<PodSpec> {
  const request = requestFor(spec, metadata);
  const object = ((await asked.admit?.(request, onlyRound)) ?? request.object) as Pod;
  await asked.validate?.({ ...request, object });
  return object.spec ?? {};
}

const refusal = (spec: PodSpec, metadata?: object): Promise<string> =>
  admitted(spec, metadata).then(
    () => 'none',
    ({ message }: Error) => message.replace('pods "p" is forbidden: ', ''),
  );

const mount = {
  name: 'kube-api-access-bbbbb',
  readOnly: true,
  mountPath: '/var/run/secrets/orch.io/serviceaccount',
};

describe('the service account of a pod', () => {
  it('is the default one, and adds a token and image pull secrets', async () => {
    const { serviceAccountName, serviceAccount, imagePullSecrets, containers, volumes } = await admitted({});
    expect({ serviceAccountName, serviceAccount, imagePullSecrets, containers }).toEqual({
      ...{ serviceAccountName: 'default', serviceAccount: 'default', imagePullSecrets: [{ name: 'pull' }] },
      containers: [{ ...container, volumeMounts: [mount] }],
    });
    const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.namespace' };
    expect(volumes).toEqual([
      {
        name: 'kube-api-access-bbbbb',
        projected: {
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
            { configMap: { name: 'orch-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
            { downwardAPI: { items: [{ path: 'namespace', fieldRef }] } },
          ],
          defaultMode: 420,
        },
      },
    ]);
  });

  it('does not replace fields of a pod', async () => {
    const volumes = [{ name: 'v', emptyDir: {} }];
    const own = { ...container, volumeMounts: [{ name: 'v', mountPath: mount.mountPath }] };
    const spec = { volumes, containers: [own], imagePullSecrets: [{ name: 'mine' }] };
    expect(await admitted(spec)).toMatchObject(spec);
    const prepared = [{ name: 'kube-api-access-own', emptyDir: {} }];
    const { volumes: retained, containers } = await admitted({ volumes: prepared });
    expect([retained, containers?.[0]?.volumeMounts?.[0]?.name]).toEqual([prepared, 'kube-api-access-own']);
  });

  it('mounts its token into every container without a mount at that path', async () => {
    const own = { ...container, volumeMounts: [{ name: 'v', mountPath: mount.mountPath }] };
    const spec = await admitted({ containers: [own, container], initContainers: [container] });
    expect(spec.containers).toEqual([own, { ...container, volumeMounts: [mount] }]);
    expect(spec.initContainers).toEqual([{ ...container, volumeMounts: [mount] }]);
    expect(spec.volumes).toHaveLength(1);
  });

  it('mounts no token if pod or account opt out; the pod takes precedence', async () => {
    const isMounted = async (spec: PodSpec): Promise<boolean> => (await admitted(spec)).volumes !== undefined;
    expect(await isMounted({ automountServiceAccountToken: false })).toBe(false);
    expect(await isMounted({ serviceAccountName: 'shy' })).toBe(false);
    expect(await isMounted({ serviceAccountName: 'shy', automountServiceAccountToken: true })).toBe(true);
  });

  it('must exist', async () => {
    const why = 'error looking up service account ns/none: serviceaccount "none" not found';
    expect(await refusal({ serviceAccountName: 'none' })).toBe(why);
    await expect(plugin.validate?.(requestFor({}))).rejects.toThrow(
      'no service account specified for pod ns/p',
    );
  });

  it('may still be missing if it is the default', async () => {
    let asked = 0;
    const late = createServiceAccountAdmission({
      ambient,
      serviceAccount: (_, name, { allowCached }) => {
        if (!allowCached) asked++;
        return asked < 3 ? undefined : accountOf(name);
      },
    });
    const pod = admitted({}, {}, late);
    for (const count of [1, 2]) {
      await expect.poll(() => [asked, clock.pending().length]).toEqual([count, 1]);
      clock.advance(200);
    }
    expect((await pod).serviceAccountName).toBe('default');
    const never = createServiceAccountAdmission({ ambient, serviceAccount: () => undefined });
    const refused = admitted({}, {}, never).catch(({ message }: Error) => message);
    for (let pause = 1; pause < 10; pause++) {
      await expect.poll(() => clock.pending().length).toBe(1);
      clock.advance(200);
    }
    expect(await refused).toContain('error looking up service account ns/default: ');
  });
});

describe('an account limited to its own secrets', () => {
  const strict = { serviceAccountName: 'strict' };
  const variable = { name: 'A', valueFrom: { secretKeyRef: { name: 'other', key: 'k' } } };
  const byVariable = { ...container, env: [variable] };
  const byAll = { ...container, envFrom: [{ secretRef: { name: 'other' } }] };
  const account = 'service account strict does not reference that';

  it.each<[PodSpec, string]>([
    [{ volumes: [{ name: 'v', secret: { secretName: 'own' } }] }, 'none'],
    [
      { volumes: [{ name: 'v', secret: { secretName: 'other' } }] },
      `volume with secret.secretName="other" is not allowed because ${account} secret`,
    ],
    [
      { containers: [byVariable] },
      `container c with envVar A referencing secret.secretName="other" is not allowed because ${account} secret`,
    ],
    [
      { initContainers: [byAll] },
      `init container c with envFrom referencing secret.secretName="other" is not allowed because ${account} secret`,
    ],
    [
      { imagePullSecrets: [{ name: 'pull' }, { name: 'other' }] },
      `imagePullSecrets[1].name="other" is not allowed because ${account} imagePullSecret`,
    ],
  ])('%j: %s', async (spec, why) => {
    expect(await refusal({ ...strict, ...spec })).toBe(why);
  });

  it('also limits containers added to a running pod', async () => {
    const updating = { operation: 'UPDATE', subresource: 'ephemeralcontainers' } as const;
    const check = async (spec: PodSpec) => plugin.validate?.(requestFor(spec, {}, updating));
    await check({ ...strict, ephemeralContainers: [container] });
    await check({ serviceAccountName: 'default', ephemeralContainers: [byVariable] });
    const why = `ephemeral container c with envVar A referencing secret.secretName="other" is not allowed because ${account} secret`;
    await expect(check({ ...strict, ephemeralContainers: [byVariable] })).rejects.toMatchObject({
      ...{ code: 500, reason: '', message: why },
    });
  });
});

describe('a mirror pod', () => {
  it('is not changed', async () => {
    expect(await admitted({}, MIRROR)).toEqual({ containers: [container] });
  });

  it.each<[PodSpec, string]>([
    [{ serviceAccountName: 'default' }, 'a mirror pod may not reference service accounts'],
    [{ imagePullSecrets: [{ name: 'pull' }] }, 'a mirror pod may not reference secrets'],
    [
      { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] },
      'a mirror pod may not use ServiceAccountToken volume projections',
    ],
  ])('with %j is rejected', async (spec, why) => {
    expect(await refusal(spec, MIRROR)).toBe(why);
  });
});

describe('ServiceAccount', () => {
  it('handles new pods and added containers', () => {
    const asked = (changes: Partial<AdmissionRequest>): boolean =>
      plugin.handles(requestFor({}, {}, changes));
    expect(asked({})).toBe(true);
    expect(asked({ operation: 'UPDATE', subresource: 'ephemeralcontainers' })).toBe(true);
    expect(asked({ operation: 'UPDATE' })).toBe(false);
    expect(asked({ subresource: 'eviction' })).toBe(false);
    expect(asked({ operation: 'DELETE', object: undefined })).toBe(false);
    expect(asked({ resource: { group: '', version: 'v1', resource: 'services' } })).toBe(false);
  });
});
