import type { ApiObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { accessReviewErrors } from './access-review-validation.ts';

const review = (metadata: object): ApiObject =>
  ({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata,
    spec: { user: 'a', resourceAttributes: { verb: 'get', resource: 'pods' } },
  }) as unknown as ApiObject;

describe('the metadata of an access review', () => {
  it('may have what every create ignores, as recorded', () => {
    const ignored = {
      creationTimestamp: '2020-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 1,
      deletionTimestamp: '2020-01-01T00:00:00Z',
      managedFields: [],
      uid: 'x',
    };
    for (const kind of ['SubjectAccessReview', 'SelfSubjectAccessReview', 'LocalSubjectAccessReview'])
      expect(accessReviewErrors(kind, review(ignored))).toEqual([]);
  });

  it.each([{ name: 'a' }, { labels: { a: 'b' } }, { resourceVersion: '1' }, { generation: 1 }])(
    'must be empty but for that: %j',
    (metadata) => {
      expect(accessReviewErrors('SubjectAccessReview', review(metadata))).toMatchObject([
        { field: 'metadata' },
      ]);
    },
  );
});

describe('what is no resource in an access review', () => {
  it('is shown where it must not stand', () => {
    const given = review({});
    const spec = { user: 'a', resourceAttributes: {}, nonResourceAttributes: { path: '/a', verb: 'get' } };
    expect(accessReviewErrors('SubjectAccessReview', { ...given, spec } as ApiObject)).toMatchObject([
      {
        field: 'spec.nonResourceAttributes',
        message:
          'Invalid value: authorization.NonResourceAttributes{Path:"/a", Verb:"get"}: cannot be specified in combination with resourceAttributes',
      },
    ]);
  });
});
