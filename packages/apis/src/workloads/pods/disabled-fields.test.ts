import { describe, expect, it } from 'vitest';
import { withoutDisabledFields } from './disabled-fields.ts';

describe('volumes that are images', () => {
  const image = { name: 'i', image: { reference: 'a' } };
  const data = { name: 'd', emptyDir: {} };
  const mount = (name: string) => ({ name, mountPath: `/${name}` });

  it('are dropped with their mounts', () => {
    const spec = {
      volumes: [image, data],
      containers: [{ name: 'c', volumeMounts: [mount('i'), mount('d')] }],
    };
    expect(withoutDisabledFields(spec)).toEqual({
      volumes: [data],
      containers: [{ name: 'c', volumeMounts: [mount('d')] }],
    });
  });

  it('leave no empty lists', () => {
    const spec = { volumes: [image], containers: [{ name: 'c', volumeMounts: [mount('i')] }, { name: 'e' }] };
    expect(withoutDisabledFields(spec)).toEqual({ containers: [{ name: 'c' }, { name: 'e' }] });
  });
});

describe('features that are off', () => {
  const container = {
    name: 'c',
    resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
    resources: { claims: [{ name: 'r' }] },
    securityContext: { procMount: 'Unmasked' },
    volumeMounts: [{ name: 'i', mountPath: '/i' }],
  };
  const spec = {
    hostUsers: false,
    resources: { limits: { cpu: '1' } },
    resourceClaims: [{ name: 'r' }],
    securityContext: { supplementalGroupsPolicy: 'Strict', seLinuxChangePolicy: 'Recursive' },
    volumes: [
      { name: 'i', image: { reference: 'a' } },
      { name: 'p', projected: { sources: [{ clusterTrustBundle: { path: 'a' } }] } },
    ],
    containers: [container],
  };

  it('are kept of what is stored with them', () => {
    expect(withoutDisabledFields(spec, spec)).toEqual(spec);
  });

  it('are kept each for itself', () => {
    expect(withoutDisabledFields(spec, { hostUsers: true })).toEqual({
      hostUsers: false,
      securityContext: {},
      volumes: [{ name: 'p', projected: { sources: [{}] } }],
      containers: [{ name: 'c', resources: {}, securityContext: { procMount: 'Default' } }],
    });
  });

  it('are dropped of what is stored without them', () => {
    expect(withoutDisabledFields({ hostUsers: true }, {})).toEqual({});
  });
});
