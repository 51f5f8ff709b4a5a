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
