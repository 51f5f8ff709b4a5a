import { describe, expect, it } from 'vitest';
import { kubernetesVocabulary, orchVocabulary } from '../contracts/vocabulary.ts';
import { fieldErrorText } from '../errors/field-error.ts';
import { StatusError } from '../errors/status-error.ts';
import type { ManagedFieldsEntry, ObjectMeta } from '../objects/api-object.ts';
import { ANNOTATIONS_LIMIT_BYTES } from './label-validation.ts';
import {
  type NewObjectMetaRules,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './object-meta-validation.ts';
import { validateDnsSubdomain, validatePathSegment } from './object-name.ts';

const rules: NewObjectMetaRules = {
  namespaced: true,
  validateName: validateDnsSubdomain,
  vocabulary: orchVocabulary,
};
const good: ObjectMeta = { name: 'a', namespace: 'ns', uid: 'u', resourceVersion: '1' };
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };

const ofNew = (metadata: ObjectMeta, changes: Partial<NewObjectMetaRules> = {}): string[] =>
  validateObjectMeta(metadata, { ...rules, ...changes }).map(fieldErrorText);
const ofUpdate = (metadata: ObjectMeta, stored: ObjectMeta, qualifiedFinalizers = false): string[] =>
  validateObjectMetaUpdate(metadata, stored, { ...rules, qualifiedFinalizers }).map(fieldErrorText);

describe('metadata that is known to be well-formed', () => {
  const stored = { ...good, creationTimestamp: '2024-01-02T03:04:05Z', generation: 2 };
  const metadata: ObjectMeta = {
    ...stored,
    labels: { a: 'b' },
    annotations: { 'X.io/A': 'c' },
    ownerReferences: [owner],
    finalizers: ['plain'],
    managedFields: [{ manager: 'm', operation: 'Apply', fieldsType: 'FieldsV1' }],
  };

  it.each<[string, ObjectMeta, number, number]>([
    ['is well-formed', metadata, 0, 0],
    ['has finalizers that one rule allows', metadata, 1, 1],
    ['has a name that one rule allows', { ...metadata, name: 'A_' }, 1, 1],
    ['has another identity', { ...metadata, uid: 'v', creationTimestamp: '2025-01-02T03:04:05Z' }, 0, 2],
    ['has an older generation', { ...metadata, generation: 1 }, 0, 1],
    ['has finalizers too late', { ...metadata, deletionTimestamp: '2025-01-02T03:04:05Z' }, 0, 1],
  ])('gets the same errors of other rules: it %s', (title, next, wrong, changed) => {
    expect(ofNew(next, { validateName: validatePathSegment })).toEqual([]);
    const qualifiedFinalizers = title.includes('finalizers that');
    const ofKnown = ofNew(next, { qualifiedFinalizers, isKnown: true });
    expect(ofKnown).toEqual(ofNew(next, { qualifiedFinalizers }));
    expect(ofKnown).toHaveLength(wrong);
    const changes = { ...rules, qualifiedFinalizers };
    const known = validateObjectMetaUpdate(next, stored, { ...changes, isKnown: true });
    expect(known).toEqual(validateObjectMetaUpdate(next, stored, changes));
    expect(known).toHaveLength(changed);
  });

  it('is not validated again', () => {
    const labels = new Proxy({ a: 'b' }, { ownKeys: () => expect.fail('the labels were read') });
    expect(ofNew({ ...good, labels }, { isKnown: true })).toEqual([]);
    expect(validateObjectMetaUpdate({ ...good, labels }, good, { ...rules, isKnown: true })).toEqual([]);
  });
});

describe('validateObjectMeta', () => {
  it('accepts what is well-formed', () => {
    const metadata: ObjectMeta = {
      ...good,
      generateName: 'a-',
      labels: { 'x.io/A': '', tier: 'web' },
      annotations: { 'X.io/A': 'any text' },
      ownerReferences: [owner, { ...owner, apiVersion: 'apps/v1', uid: 'v', controller: true }],
      finalizers: ['x.io/y', 'x.io/y', 'plain'],
      managedFields: [{ manager: 'm', operation: 'Apply', fieldsType: 'FieldsV1' }],
    };
    expect(ofNew(metadata)).toEqual([]);
  });

  it('requires a name, and a namespace for namespaced kinds', () => {
    expect(ofNew({})).toEqual([
      'metadata.name: Required value: name or generateName is required',
      'metadata.namespace: Required value',
    ]);
    expect(ofNew({ name: 'a' }, { namespaced: false })).toEqual([]);
    expect(ofNew({ name: 'a', namespace: 'ns' }, { namespaced: false })).toEqual([
      'metadata.namespace: Forbidden: not allowed on this type',
    ]);
    expect(ofNew({ name: 'a', namespace: 'a.b' })).toEqual([
      'metadata.namespace: Invalid value: "a.b": must not contain dots',
    ]);
  });

  it('checks names by the rule of the kind', () => {
    const metadata = { ...good, generateName: '%', name: 'a/%' };
    expect(ofNew(metadata, { validateName: validatePathSegment })).toEqual([
      `metadata.generateName: Invalid value: "%": may not contain '%'`,
      `metadata.name: Invalid value: "a/%": may not contain '/'`,
      `metadata.name: Invalid value: "a/%": may not contain '%'`,
    ]);
  });

  it('returns errors in the order of the fields', () => {
    const errors = ofNew({
      name: '-',
      generateName: '-',
      namespace: 'N',
      generation: -1,
      labels: { '/l': '' },
      annotations: { '/a': '' },
      ownerReferences: [{ ...owner, uid: '' }],
      finalizers: ['/f'],
      managedFields: [{ manager: 'm' }],
    });
    expect(errors.map((text) => text.split(':')[0])).toEqual([
      'metadata.generateName',
      'metadata.name',
      'metadata.namespace',
      'metadata.generation',
      'metadata.labels',
      'metadata.annotations',
      'metadata.ownerReferences.uid',
      'metadata.finalizers',
      'metadata.managedFields[0].operation',
    ]);
  });

  it('bounds the size of annotations in bytes', () => {
    const value = 'ü'.repeat((ANNOTATIONS_LIMIT_BYTES - 2) / 2);
    expect(ofNew({ ...good, annotations: { aa: value } })).toEqual([]);
    expect(ofNew({ ...good, annotations: { aaa: value } })).toEqual([
      'metadata.annotations: Too long: may not be more than 262144 bytes',
    ]);
  });

  it('rejects incomplete owners, events as owners, and a second controller', () => {
    expect(ofNew({ ...good, ownerReferences: [{} as typeof owner] })).toEqual([
      'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
      'metadata.ownerReferences.kind: Invalid value: "": kind must not be empty',
      'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
    ]);
    expect(ofNew({ ...good, ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] })).toEqual([
      'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
    ]);
    expect(ofNew({ ...good, ownerReferences: [{ ...owner, kind: 'Event' }] })[0]).toMatch(
      /^metadata\.ownerReferences: Invalid value: .*: \/v1, Kind=Event is disallowed from being an owner$/,
    );
    const controllers = [
      { ...owner, controller: true },
      { ...owner, kind: 'Job', name: 'q', controller: true },
    ];
    expect(ofNew({ ...good, ownerReferences: controllers })[0]).toMatch(
      /: Only one reference can have Controller set to true\. Found "true" in references for Pod\/p and Job\/q$/,
    );
  });

  it('rejects both propagation policies at once', () => {
    expect(ofNew({ ...good, finalizers: ['orphan', 'foregroundDeletion'] })).toEqual([
      'metadata.finalizers: Invalid value: []string{"orphan", "foregroundDeletion"}: finalizer orphan and foregroundDeletion cannot be both set',
    ]);
  });

  it('requires standard or qualified finalizers if the kind does, after all other errors', () => {
    const metadata = { ...good, finalizers: ['orch', 'orphan', 'x.io/y', 'plain', '-'] };
    const errors = ofNew(metadata, { qualifiedFinalizers: true });
    expect(errors).toHaveLength(3);
    expect(errors.slice(1)).toEqual([
      'metadata.finalizers[3]: Invalid value: "plain": name is neither a standard finalizer name nor is it fully qualified',
      'metadata.finalizers[4]: Invalid value: "-": name is neither a standard finalizer name nor is it fully qualified',
    ]);
    const kubernetes = { qualifiedFinalizers: true, vocabulary: kubernetesVocabulary };
    expect(ofNew({ ...good, finalizers: ['kubernetes'] }, kubernetes)).toEqual([]);
    expect(ofNew({ ...good, finalizers: ['orch'] }, kubernetes)).toHaveLength(1);
  });

  it('validates managed fields', () => {
    const bad = { operation: 'Bogus', fieldsType: 'x', manager: 'a\nb', subresource: 's'.repeat(257) };
    expect(
      ofNew({ ...good, managedFields: [{ operation: 'Update' }, bad as unknown as ManagedFieldsEntry] }),
    ).toEqual([
      'metadata.managedFields[1].operation: Invalid value: "Bogus": must be `Apply` or `Update`',
      'metadata.managedFields[1].fieldsType: Invalid value: "x": must be `FieldsV1`',
      'metadata.managedFields[1].manager: Invalid value: "a\\nb": invalid character U+000A (at position 1)',
      'metadata.managedFields[1].subresource: Too long: may not be more than 256 bytes',
    ]);
  });
});

describe('validateObjectMetaUpdate', () => {
  it('accepts unchanged metadata', () => {
    const stored: ObjectMeta = { ...good, creationTimestamp: '2001-01-01T00:00:00Z', generation: 1 };
    expect(ofUpdate({ ...stored, generation: 2, labels: { a: 'b' } }, stored)).toEqual([]);
    expect(ofUpdate({ ...stored, creationTimestamp: '2001-01-01T01:00:00+01:00' }, stored)).toEqual([]);
  });

  it('rejects changes of identity', () => {
    const stored: ObjectMeta = { ...good, creationTimestamp: '2001-01-01T00:00:00Z', generation: 2 };
    const changed: ObjectMeta = {
      name: 'b',
      namespace: 'other',
      uid: 'v',
      generation: 1,
      deletionTimestamp: '2001-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 3,
    };
    expect(ofUpdate(changed, stored)).toEqual([
      'metadata.resourceVersion: Invalid value: "": must be specified for an update',
      'metadata.generation: Invalid value: 1: must not be decremented',
      'metadata.name: Invalid value: "b": field is immutable',
      'metadata.namespace: Invalid value: "other": field is immutable',
      'metadata.uid: Invalid value: "v": field is immutable',
      'metadata.creationTimestamp: Invalid value: 0001-01-01 00:00:00 +0000 UTC: field is immutable',
      'metadata.deletionTimestamp: Invalid value: 2001-01-01 00:00:00 +0000 UTC: field is immutable',
      'metadata.deletionGracePeriodSeconds: Invalid value: 3: field is immutable',
    ]);
    expect(ofUpdate(good, { ...good, deletionTimestamp: '2001-01-01T00:00:00Z' })).toEqual([
      'metadata.deletionTimestamp: Invalid value: "null": field is immutable',
    ]);
  });

  it('rejects new finalizers while the object is being deleted', () => {
    const stored: ObjectMeta = {
      ...good,
      deletionTimestamp: '2001-01-01T00:00:00Z',
      finalizers: ['x.io/a', 'x.io/b'],
    };
    expect(ofUpdate({ ...stored, finalizers: ['x.io/b'] }, stored)).toEqual([]);
    expect(ofUpdate({ ...stored, finalizers: ['x.io/d', 'x.io/c', 'x.io/d'] }, stored)).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.io/c", "x.io/d"}',
    ]);
    expect(ofUpdate({ ...good, finalizers: ['x.io/c'] }, good)).toEqual([]);
  });

  it('validates labels, owners and managed fields again, and finalizers only for their form', () => {
    const metadata: ObjectMeta = { ...good, labels: { '/l': '' }, finalizers: ['-'] };
    expect(ofUpdate(metadata, good)).toHaveLength(1);
    expect(ofUpdate(metadata, good, true)).toHaveLength(2);
  });
});

describe('metadata of megabytes', () => {
  const many = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, i) => make(i));
  const controllerOf = (i: number) => ({
    apiVersion: 'v1',
    kind: 'P',
    name: `a${i}`,
    uid: 'u',
    controller: true,
  });

  it.each<[string, ObjectMeta]>([
    ['labels', { labels: Object.fromEntries(many(50_000, (i) => [`-${i}`, '-'])) }],
    ['annotations', { annotations: Object.fromEntries(many(50_000, (i) => [`-${i}`, '-'])) }],
    ['finalizers', { finalizers: many(50_000, (i) => `-${i}`) }],
    ['controllers', { ownerReferences: many(20_000, controllerOf) }],
    ['owners', { ownerReferences: many(50_000, () => ({ apiVersion: '', kind: '', name: '', uid: '' })) }],
    ['managers', { managedFields: many(50_000, () => ({ manager: '\u0001' })) }],
    ['a manager', { managedFields: [{ manager: '\u0001'.repeat(500_000) }] }],
    ['a long label', { labels: { a: '-'.repeat(500_000) } }],
  ])('costs no more than its size: %s', (_name, metadata) => {
    const loose = { namespaced: false, validateName: () => [], vocabulary: kubernetesVocabulary };
    const errors = validateObjectMeta({ name: 'a', ...metadata }, { ...loose, qualifiedFinalizers: true });
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThan(400);
    expect(StatusError.invalid('', 'P', 'a', errors).message.length).toBeLessThan(2_000_000);
  });

  it('compares new finalizers with the old ones once', () => {
    const finalizers = many(50_000, (i) => `example.com/${i}`);
    const stored = { name: 'a', uid: 'u', deletionTimestamp: '2024-01-02T03:04:05Z', finalizers };
    const changed = { ...stored, resourceVersion: '1', finalizers: [...finalizers, 'example.com/new'] };
    const errors = validateObjectMetaUpdate(changed, stored, { vocabulary: kubernetesVocabulary });
    expect(errors.map(({ reason }) => reason)).toEqual(['FieldValueForbidden']);
  });
});
