import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTrue, parseRequestInfo } from './request-info.ts';

const resource = (method: string, url: string): object => {
  const { path: _, query: __, isResourceRequest, ...info } = parseRequestInfo(method, url);
  expect(isResourceRequest).toBe(true);
  return info;
};

const nothing = {
  apiGroup: '',
  apiVersion: 'v1',
  namespace: '',
  inNamespace: false,
  resource: '',
  subresource: '',
  name: '',
  isObjectPath: false,
  pathVerb: '',
  rest: [],
};

describe('parseRequestInfo', () => {
  it.each([
    ['GET', '/api/v1/nodes', { verb: 'list', resource: 'nodes' }],
    ['GET', '/api/v1/nodes/n', { verb: 'get', resource: 'nodes', name: 'n' }],
    ['HEAD', '/api/v1/nodes', { verb: 'list', resource: 'nodes' }],
    ['HEAD', '/api/v1/nodes/n', { verb: 'get', resource: 'nodes', name: 'n' }],
    ['POST', '/api/v1/nodes', { verb: 'create', resource: 'nodes' }],
    ['PUT', '/api/v1/nodes/n', { verb: 'update', resource: 'nodes', name: 'n' }],
    ['PATCH', '/api/v1/nodes/n', { verb: 'patch', resource: 'nodes', name: 'n' }],
    ['DELETE', '/api/v1/nodes/n', { verb: 'delete', resource: 'nodes', name: 'n' }],
    ['DELETE', '/api/v1/nodes', { verb: 'deletecollection', resource: 'nodes' }],
    ['OPTIONS', '/api/v1/nodes', { verb: '', resource: 'nodes' }],
    ['constructor', '/api/v1/nodes', { verb: '', resource: 'nodes' }],
    ['__proto__', '/api/v1/nodes', { verb: '', resource: 'nodes' }],
    ['GET', '/api/v1/nodes/', { verb: 'list', resource: 'nodes' }],
    ['GET', '/api/v1/nodes?watch', { verb: 'watch', resource: 'nodes' }],
    ['GET', '/api/v1/nodes?watch=0', { verb: 'list', resource: 'nodes' }],
    [
      'GET',
      '/api/v1/nodes/n/status?watch=1',
      { verb: 'get', resource: 'nodes', name: 'n', subresource: 'status' },
    ],
    ['GET', '/api/v1/nodes/n?watch=1', { verb: 'watch', resource: 'nodes', name: 'n' }],
    [
      'GET',
      '/api/v1/nodes/n/proxy/a/b',
      { verb: 'get', resource: 'nodes', name: 'n', subresource: 'proxy', rest: ['a', 'b'] },
    ],
    ['GET', '/api/v1/namespaces/x/pods', { verb: 'list', resource: 'pods', namespace: 'x' }],
    [
      'GET',
      '/api/v1/namespaces/x/pods/p/log',
      { verb: 'get', resource: 'pods', namespace: 'x', name: 'p', subresource: 'log' },
    ],
    ['GET', '/api/v1/namespaces', { verb: 'list', resource: 'namespaces' }],
    ['GET', '/api/v1/namespaces/x', { verb: 'get', resource: 'namespaces', namespace: 'x', name: 'x' }],
    [
      'PUT',
      '/api/v1/namespaces/x/finalize',
      { verb: 'update', resource: 'namespaces', namespace: 'x', name: 'x', subresource: 'finalize' },
    ],
    [
      'PUT',
      '/api/v1/namespaces/x/status',
      { verb: 'update', resource: 'namespaces', namespace: 'x', name: 'x', subresource: 'status' },
    ],
    ['GET', '/api/v1/namespaces/x/finalizers', { verb: 'list', resource: 'finalizers', namespace: 'x' }],
    [
      'GET',
      '/apis/apps/v2/namespaces/x/d/n',
      { verb: 'get', apiGroup: 'apps', apiVersion: 'v2', namespace: 'x', resource: 'd', name: 'n' },
    ],
    ['GET', '/api/v1/nodes/a%20b', { verb: 'get', resource: 'nodes', name: 'a b' }],
    ['GET', '/api/v1/nodes/a%2Fb', { verb: 'get', resource: 'nodes', name: 'a', subresource: 'b' }],
    ['GET', '/api/v1/nodes/%25', { verb: 'get', resource: 'nodes', name: '%' }],
  ])('%s %s', (method, url, expected) => {
    const inNamespace = 'namespace' in expected && expected.resource !== 'namespaces';
    const isObjectPath = 'name' in expected;
    expect(resource(method, url)).toEqual({ ...nothing, inNamespace, isObjectPath, ...expected });
  });

  it.each([
    ['metadata.name=n', 'n'],
    ['metadata.name==n', 'n'],
    ['spec.x=1,metadata.name=n', 'n'],
    ['metadata.name=n,metadata.name=m', 'm'],
    ['metadata.name=a%b', ''],
    ['metadata.name=a/b', ''],
    ['metadata.name=..', ''],
    ['metadata.name=n,x', ''],
    ['metadata.name!=n', ''],
    ['metadata.names=n', ''],
    ['metadata.name=a\\,b', 'a,b'],
    ['', ''],
  ])('takes the name from the field selector of a collection: %s', (selector, name) => {
    for (const [method, query] of [
      ['GET', ''],
      ['GET', '&watch=1'],
    ] as const) {
      const url = `/api/v1/nodes?fieldSelector=${encodeURIComponent(selector)}${query}`;
      expect(resource(method, url)).toMatchObject({ name });
    }
    const alias = `/api/v1/watch/nodes?fieldSelector=${encodeURIComponent(selector)}`;
    expect(resource('GET', alias)).toMatchObject({ verb: 'watch', name: '' });
    // only reads can be authorized by name there
    for (const method of ['POST', 'DELETE'])
      expect(resource(method, `/api/v1/nodes?fieldSelector=${encodeURIComponent(selector)}`)).toMatchObject({
        name: '',
      });
  });

  it.each([
    '/',
    '/api',
    '/api/',
    '/api/v1',
    '/apis',
    '/apis/apps',
    '/apis/apps/v1',
    '/healthz',
    '/openapi/v3',
    '//',
  ])('treats %s as a non-resource path', (url) => {
    const { isResourceRequest, verb, path } = parseRequestInfo('GET', `${url}?a=b`);
    expect({ isResourceRequest, verb, path }).toEqual({ isResourceRequest: false, verb: 'get', path: url });
  });

  it('rejects a path with an invalid escape', () => {
    expect(() => parseRequestInfo('GET', '/api/v1/%zz')).toThrow(URIError);
    expect(() => parseRequestInfo('GET', '/api/v1/%ff')).toThrow(URIError);
    expect(() => parseRequestInfo('GET', '/a?x=%zz')).not.toThrow();
  });

  it('returns strings for every part', () => {
    const target = fc.array(
      fc.constantFrom('/', 'api', 'apis', 'v1', 'namespaces', 'x', 'status', '?', 'watch', '=', '&', 'é'),
    );
    fc.assert(
      fc.property(fc.string(), target, (method, parts) => {
        const info = parseRequestInfo(method, `/${parts.join('')}`);
        for (const part of [
          info.verb,
          info.namespace,
          info.resource,
          info.name,
          info.subresource,
          info.apiGroup,
        ]) {
          expect(typeof part).toBe('string');
        }
        // only a doubled slash leaves the resource empty
        if (!info.path.includes('//')) expect(info.isResourceRequest).toBe(info.resource !== '');
      }),
    );
  });
});

describe('isTrue', () => {
  it.each(['0', 'false', 'False', 'FALSE', 'fALSE', undefined])('%s is false', (value) => {
    expect(isTrue(value)).toBe(false);
  });
  it.each(['', '1', 'true', 'no', 'f', 'F', '00'])('"%s" is true', (value) => {
    expect(isTrue(value)).toBe(true);
  });
});
