import { fieldErrorText, kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { type Claim, claimStatusErrors, claimUpdateErrors } from './claim-updates.ts';

const requests = { storage: '1Gi' };
const claim = (spec: object, status: object): Claim =>
  ({
    metadata: {},
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests }, ...spec },
    status,
  }) as unknown as Claim;

describe('the status of a claim', () => {
  it.each([
    ['storage', []],
    ['example.com/a', []],
    ['cpu', ['status.allocatedResources: Unsupported value: "cpu": supported values: "storage"']],
    [
      'x.kubernetes.io/a',
      ['status.allocatedResources: Unsupported value: "x.kubernetes.io/a": supported values: "storage"'],
    ],
  ])('allocates storage, and resources of other domains: %s', (name, expected) => {
    const changed = claim({}, { allocatedResources: { [name]: '1' } });
    expect(claimStatusErrors(changed, kubernetesVocabulary).map(fieldErrorText)).toEqual(expected);
  });
});

describe('a bound claim', () => {
  it('may request more, but not nothing', () => {
    const stored = claim({ volumeName: 'v' }, { phase: 'Bound' });
    const fieldsOf = (resources: object): readonly string[] =>
      claimUpdateErrors(
        claim({ volumeName: 'v', resources }, { phase: 'Bound' }),
        stored,
        kubernetesVocabulary,
      ).map(({ field }) => field);
    expect(fieldsOf({ requests: { storage: '2Gi' } })).toEqual([]);
    expect(fieldsOf({})).toContain('spec');
  });
});

describe('a claim that is not bound', () => {
  const pending = (spec: object, annotations: object = {}): Claim =>
    ({ ...claim(spec, { phase: 'Pending' }), metadata: { annotations } }) as unknown as Claim;
  const fieldsOf = (next: Claim, stored: Claim): readonly string[] =>
    claimUpdateErrors(next, stored, kubernetesVocabulary).map(({ field }) => field);

  it('may write what it requests in another form', () => {
    const bytes = pending({ resources: { requests: { storage: '1073741824' } } });
    expect(fieldsOf(bytes, pending({}))).toEqual([]);
    expect(fieldsOf(pending({ resources: { requests: { storage: '2Gi' } } }), pending({}))).toEqual(['spec']);
  });

  it.each([
    [undefined, 'b', []],
    ['a', 'a', []],
    ['a', 'b', ['spec']],
    ['', '', []],
    ['', 'b', ['spec']],
  ])('gets a class later, but for its annotation %j only that: %j', (before, storageClassName, expected) => {
    const annotations = before === undefined ? {} : { 'volume.beta.kubernetes.io/storage-class': before };
    expect(fieldsOf(pending({ storageClassName }, annotations), pending({}, annotations))).toEqual(expected);
  });
});
