import { describe, expect, it } from 'vitest';
import { forbiddenByAdmission } from './forbidden-by-admission.ts';
import { requestFor } from './request.fixture.ts';

describe('forbiddenByAdmission', () => {
  it.each([
    ['a', { name: 'b', generateName: 'c-' }, 'pages "a" is forbidden: why'],
    ['', { name: 'b', generateName: 'c-' }, 'pages "b" is forbidden: why'],
    ['', { generateName: 'c-' }, 'pages "c-" is forbidden: why'],
    ['', {}, 'pages "Unknown" is forbidden: why'],
  ])('names %j of %j', (name, metadata, message) => {
    const request = requestFor({ name, object: { apiVersion: 'v1', kind: 'Page', metadata } });
    expect(forbiddenByAdmission(request, 'why')).toMatchObject({ code: 403, reason: 'Forbidden', message });
  });
});
