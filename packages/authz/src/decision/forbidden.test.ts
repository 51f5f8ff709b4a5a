import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributesOf } from './attributes.fixture.ts';
import { forbiddenError, forbiddenMessage, toHtmlEntities } from './forbidden.ts';

const user = { name: 'u', groups: [] };
const onPath = { isResourceRequest: false, apiVersion: '', resource: '', namespace: '', verb: 'get' };

describe('forbiddenError', () => {
  it.each([
    [
      { resource: 'pods' },
      'pods is forbidden: User "u" cannot list resource "pods" in API group "" in the namespace "ns"',
    ],
    [
      { resource: 'pods', verb: 'get', name: 'x' },
      'pods "x" is forbidden: User "u" cannot get resource "pods" in API group "" in the namespace "ns"',
    ],
    [
      { resource: 'pods', subresource: 'log', verb: 'get', name: 'x' },
      'pods "x" is forbidden: User "u" cannot get resource "pods/log" in API group "" in the namespace "ns"',
    ],
    [
      { resource: 'deployments', apiGroup: 'apps', namespace: '' },
      'deployments.apps is forbidden: User "u" cannot list resource "deployments" in API group "apps" at the cluster scope',
    ],
    [{ ...onPath, path: '/metrics' }, 'forbidden: User "u" cannot get path "/metrics"'],
    [{ ...onPath, verb: '', path: '/a' }, 'forbidden: User "u" cannot  path "/a"'],
    [{ ...onPath, path: '/<b>&"' }, 'forbidden: User "u" cannot get path "/&lt;b&gt;&amp;\\""'],
    [
      { user: { name: 'a<b>', groups: [] }, verb: 'get', name: 'n' },
      'configmaps "n" is forbidden: User "a&lt;b&gt;" cannot get resource "configmaps" in API group "" in the namespace "ns"',
    ],
  ])('%j', (changes, message) => {
    expect(forbiddenError(attributesOf({ user, ...changes })).message).toBe(message);
  });

  it('includes the reason, if any', () => {
    const attributes = attributesOf({ user, ...onPath, path: '/a' });
    expect(forbiddenError(attributes, 'RBAC: role "<x>" not found').message).toBe(
      'forbidden: User "u" cannot get path "/a": RBAC: role "<x>" not found',
    );
  });

  it('is a 403 that names the resource and the object, but not a path', () => {
    const named = attributesOf({ apiGroup: 'apps', resource: 'deployments', verb: 'get', name: 'web' });
    expect(forbiddenError(named).status).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      details: { name: 'web', group: 'apps', kind: 'deployments' },
    });
    expect(forbiddenError(attributesOf(onPath)).status.details).toEqual({});
  });

  it('escapes mark-up of the request', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (name, namespace) => {
        const attributes = attributesOf({ user: { name, groups: [] }, namespace });
        expect(forbiddenMessage(attributes)).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
      }),
    );
    expect(toHtmlEntities(`&lt;"'<>`)).toBe(`&amp;lt;"'&lt;&gt;`);
  });
});
