import { describe, expect, it } from 'vitest';
import { reviewAttributes, subjectOf } from './review-attributes.ts';

const user = { name: 'anna', groups: [] };

describe('what a review asks about', () => {
  it.each([
    [{}, '*'],
    [{ version: '' }, '*'],
    [{ version: 'v1' }, 'v1'],
  ])('is every version unless it names one: %j', (resourceAttributes, apiVersion) => {
    expect(reviewAttributes({ resourceAttributes }, user, {})).toMatchObject({ apiVersion });
  });

  it('has no version for a path', () => {
    const nonResourceAttributes = { path: '/a', verb: 'get' };
    expect(reviewAttributes({ nonResourceAttributes }, user, {})).toMatchObject({
      ...{ isResourceRequest: false, path: '/a', verb: 'get', apiVersion: '' },
    });
  });

  it('are the selectors that could be read', () => {
    const asked = reviewAttributes({ resourceAttributes: {} }, user, { labelSelector: 'a', errors: ['x'] });
    expect([asked.labelSelector, asked.fieldSelector, 'errors' in asked]).toEqual(['a', undefined, false]);
  });
});

describe('the user of a review', () => {
  it('has the extra fields as they are written', () => {
    const extra = { Scopes: ['a'], k: [] };
    expect(subjectOf({ user: 'anna', groups: ['g'], uid: '7', extra })).toEqual({
      ...{ name: 'anna', groups: ['g'], uid: '7', extra },
    });
    expect(subjectOf({})).toEqual({ name: '', groups: [] });
  });
});
