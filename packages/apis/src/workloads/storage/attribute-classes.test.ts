import type { JsonObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { causesOf } from '../../types/in-memory-resource.fixture.ts';
import { persistentVolumeClaims } from '../core/persistent-volume-claims.ts';
import { persistentVolumes } from '../core/persistent-volumes.ts';
import { FormerObjects, withValue } from '../inherited/former-objects.fixture.ts';

const metadata = { name: 'a' };
const CLASS = 'spec.volumeAttributesClassName';
const IS_OFF = `${CLASS}: Forbidden: update is forbidden when the VolumeAttributesClass feature gate is disabled`;
const more = (object: JsonObject): JsonObject => withValue(object, 'metadata.labels', { more: 'x' });

describe('the class of attributes of a stored volume', () => {
  const volume = {
    metadata,
    spec: { capacity: { storage: '1' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } },
  };
  const stored = async (name: string, former: FormerObjects): Promise<JsonObject> =>
    former.store(volume, (valid) => withValue(valid, CLASS, name));

  it('is validated', async () => {
    const former = new FormerObjects(persistentVolumes);
    const causes = await causesOf(former.resource.replace('a', more(await stored('', former))));
    expect(new Set(causes)).toEqual(
      new Set([
        `${CLASS}: Required value: an empty string is disallowed`,
        'spec.csi: Required value: has to be specified when using volumeAttributesClassName',
      ]),
    );
  });

  it('cannot be lost', async () => {
    const former = new FormerObjects(persistentVolumes);
    const object = withValue(await stored('c', former), CLASS, undefined);
    expect(await causesOf(former.resource.replace('a', object))).toEqual([
      IS_OFF,
      `${CLASS}: Forbidden: update from non-nil value to nil is forbidden`,
    ]);
  });
});

describe('the class of attributes of a stored claim', () => {
  const claim = {
    metadata,
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } },
  };
  const bound = (name: string) => (valid: JsonObject) =>
    withValue(withValue(valid, CLASS, name), 'status', { phase: 'Bound' });

  it('is validated', async () => {
    const former = new FormerObjects(persistentVolumeClaims);
    const causes = await causesOf(former.resource.replace('a', more(await former.store(claim, bound('A')))));
    expect(new Set(causes)).toEqual(
      new Set([expect.stringMatching(/^spec\.volumeAttributesClassName: .*RFC 1123/)]),
    );
  });

  it('cannot be emptied', async () => {
    const former = new FormerObjects(persistentVolumeClaims);
    const object = withValue(await former.store(claim, bound('c')), CLASS, '');
    expect(await causesOf(former.resource.replace('a', object))).toEqual([
      IS_OFF,
      `${CLASS}: Forbidden: update from non-nil value to an empty string is forbidden`,
    ]);
  });
});

it('a bound claim without requests gets none', async () => {
  const former = new FormerObjects(persistentVolumeClaims);
  const requests = { storage: '1' };
  const claim = { metadata, spec: { accessModes: ['ReadWriteOnce'], resources: { requests } } };
  const stored = await former.store(claim, (valid) =>
    withValue(withValue(valid, 'spec.resources', {}), 'status', { phase: 'Bound' }),
  );
  const object = withValue(stored, 'spec.resources', { requests });
  expect(await causesOf(former.resource.replace('a', object))).toEqual([
    expect.stringMatching(/^spec: Forbidden: spec is immutable after creation/),
  ]);
});
