import type { AuthorizationAttributes, Authorizer } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { RequestScope } from '../pipeline/request-scope.ts';
import { requireAuthorized } from './request-context.ts';
import { parseRequestInfo } from './request-info.ts';

/** The selectors that an authorizer sees of a request. */
function selectorsOf(method: string, url: string, verb?: string): unknown {
  const seen: AuthorizationAttributes[] = [];
  const authorizer: Authorizer = {
    authorize(attributes) {
      seen.push(attributes);
      return { decision: 'allow' };
    },
  };
  const scope = { user: { name: 'anna', groups: [] }, info: parseRequestInfo(method, url) };
  requireAuthorized(authorizer, scope as unknown as RequestScope, verb);
  const [{ labelSelector, fieldSelector } = {}] = seen as Partial<AuthorizationAttributes>[];
  return [labelSelector, fieldSelector];
}

const QUERY = 'labelSelector=a%3Db&fieldSelector=spec.nodeName%3Dn';

describe('requireAuthorized', () => {
  it.each([
    ['GET', '/api/v1/pods?', undefined],
    ['GET', '/api/v1/namespaces/n/pods?watch=1&', undefined],
    ['DELETE', '/api/v1/namespaces/n/pods?', undefined],
  ])('tells of the selectors of %s %s', (method, path, verb) => {
    expect(selectorsOf(method, path + QUERY, verb)).toEqual(['a=b', 'spec.nodeName=n']);
  });

  it.each([
    ['GET', '/api/v1/namespaces/n/pods/p?', undefined],
    ['GET', '/api/v1/namespaces/n/pods/p?watch=1&', undefined],
    ['GET', '/api/v1/namespaces/n/pods/p/log?', undefined],
    ['GET', '/api/v1/watch/namespaces/n/pods/p?', undefined],
    ['GET', '/api/v1/watch/namespaces/n/pods?', undefined],
    ['POST', '/api/v1/namespaces/n/pods?', undefined],
    ['PUT', '/api/v1/namespaces/n/pods/p?', undefined],
    ['PUT', '/api/v1/namespaces/n/pods/p?', 'create'],
    ['DELETE', '/api/v1/namespaces/n/pods/p?', undefined],
    ['GET', '/metrics?', undefined],
  ])('tells of none for %s %s, which nothing selects from', (method, path, verb) => {
    expect(selectorsOf(method, path + QUERY, verb)).toEqual([undefined, undefined]);
  });
});
