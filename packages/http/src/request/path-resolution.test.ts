import { orchVocabulary, StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { ApiCatalog } from '../catalog/api-catalog.ts';
import { PlainTextError } from '../pipeline/plain-text-error.ts';
import { namespaces, notes, widgets } from '../testing/test-resources.fixture.ts';
import { type ResolvedPath, resolvePath } from './path-resolution.ts';
import { parseRequestInfo } from './request-info.ts';

const catalog = new ApiCatalog(orchVocabulary);
for (const definition of [namespaces, notes, { ...notes, group: 'built.in' }, widgets])
  catalog.add(definition, {});

const resolve = (method: string, url: string): ResolvedPath =>
  resolvePath(catalog, parseRequestInfo(method, url), method);

function never(): never {
  throw new TypeError('nothing is read');
}

function refusal(method: string, url: string): string {
  try {
    resolve(method, url);
  } catch (error) {
    if (error instanceof PlainTextError) return `plain ${error.code} ${error.message}`;
    if (StatusError.is(error)) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'none';
}

const PATH = '404 the server could not find the requested resource';
const PLAIN = 'plain 404 404 page not found\n';
const METHOD = '405 the server does not allow this method on the requested resource';

describe('resolvePath', () => {
  it('finds resources and their subresources', () => {
    expect(resolve('GET', '/api/v1/namespaces/x/notes/a').served.definition).toBe(notes);
    expect(resolve('GET', '/apis/example.com/v1/widgets').served.definition).toBe(widgets);
    expect(resolve('PUT', '/api/v1/namespaces/x/notes/a/status').subresource?.name).toBe('status');
    expect(resolve('GET', '/api/v1/namespaces/x').subresource).toBeUndefined();
  });

  it.each([
    ['GET', '/api/v1/nothing', PATH],
    ['GET', '/api/v2/notes', PATH],
    ['GET', '/apis/built.in/v1/nothing', PATH],
    ['GET', '/apis/built.in/v9/notes', PATH],
    ['GET', '/apis/example.com/v1/nothing', PLAIN],
    ['GET', '/apis/example.com/v9/widgets', PLAIN],
    ['GET', '/apis/nobody.example.com/v1/widgets', PLAIN],
  ])('rejects what is not served: %s %s', (method, url, expected) => {
    expect(refusal(method, url)).toBe(expected);
  });

  it.each([
    ['GET', '/api/v1/namespaces/x/namespaces/y', PATH],
    ['DELETE', '/api/v1/namespaces/x/namespaces/x', PATH],
    ['GET', '/api/v1/namespaces/x/namespaces', PATH],
    ['GET', '/api/v1/namespaces/namespaces', 'none'],
    ['GET', '/api/v1/notes/a', PATH],
    ['PUT', '/api/v1/notes/a', PATH],
    ['POST', '/api/v1/notes', METHOD],
    ['DELETE', '/api/v1/notes', METHOD],
    ['GET', '/api/v1/notes', 'none'],
    ['HEAD', '/api/v1/notes', 'none'],
    ['GET', '/api/v1/notes?fieldSelector=metadata.name=a', 'none'],
    ['GET', '/api/v1/notes/a?watch=1', PATH],
    ['GET', '/api/v1/notes?watch=1&fieldSelector=metadata.name=a', 'none'],
    ['GET', '/apis/example.com/v1/widgets/a', PLAIN],
    ['POST', '/apis/example.com/v1/widgets', PLAIN],
    ['GET', '/apis/example.com/v1/widgets', 'none'],
  ])('rejects the wrong scope: %s %s', (method, url, expected) => {
    expect(refusal(method, url)).toBe(expected);
  });

  it.each([
    ['/api/v1/namespaces/x/notes/a/nothing', PATH],
    ['/api/v1/namespaces/x/notes/a%2Fb', PATH],
    ['/api/v1/namespaces/x/notes/a/status/more', PATH],
    ['/apis/example.com/v1/namespaces/x/widgets/a/status', '404 widgets.example.com "a" not found'],
    ['/apis/example.com/v1/namespaces/x/widgets/a/status/more', PLAIN],
  ])('rejects additional segments: %s', (url, expected) => {
    expect(refusal('GET', url)).toBe(expected);
  });

  it.each([
    ['/api/v1/watch/notes', 'none'],
    ['/api/v1/watch/notes?fieldSelector=metadata.name=a', 'none'],
    ['/api/v1/watch/notes/a', PATH],
    ['/api/v1/watch/namespaces/x/notes/a', 'none'],
    ['/api/v1/watch/namespaces/x/notes/a/status', PATH],
    ['/api/v1/watch/namespaces/x', PATH],
  ])('knows paths of the deprecated form by what can be watched: %s', (url, expected) => {
    const watched = new ApiCatalog(orchVocabulary);
    watched.add(namespaces, {});
    watched.add(notes, { list: () => never(), watch: () => never() });
    const watch = (): ResolvedPath => resolvePath(watched, parseRequestInfo('GET', url), 'GET');
    if (expected === 'none') expect(watch().served.definition).toBe(notes);
    else expect(watch).toThrow(expected.slice(4));
  });

  it.each([
    ['GET', '/api/v1/namespaces/x/notes//status', '400 name must be provided'],
    ['PUT', '/api/v1/namespaces/x/notes//status', '400 name must be provided'],
    ['POST', '/api/v1/namespaces/x/notes//status', 'none'],
  ])('needs a name before a subresource: %s %s', (method, url, expected) => {
    expect(refusal(method, url)).toBe(expected);
  });

  it.each([
    ['x%25y', `may not contain '%'`],
    ['..', `may not be '..'`],
    ['.', `may not be '.'`],
  ])('rejects %s as a name', (name, why) => {
    const quoted = JSON.stringify(decodeURIComponent(name));
    expect(refusal('GET', `/api/v1/namespaces/x/notes/${name}`)).toBe(
      `400 Name parameter invalid: ${quoted}: ${why}`,
    );
    // what the path does not support is said first
    for (const method of ['POST', 'OPTIONS'])
      expect(refusal(method, `/api/v1/namespaces/x/notes/${name}`)).toBe('none');
    expect(refusal('POST', `/api/v1/namespaces/x/notes/${name}/status`)).toBe('none');
    expect(refusal('PUT', `/api/v1/namespaces/x/notes/${name}/status`)).toMatch(
      /^400 Name parameter invalid/,
    );
  });
});
