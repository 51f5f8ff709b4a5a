import { describe, expect, it } from 'vitest';
import { forwardedRequest } from './forwarded-request.fixture.ts';
import { forwardedTarget } from './forwarded-target.ts';

const targetOf = (path: string, parameters: readonly (readonly [string, string])[] = []): string =>
  forwardedTarget(forwardedRequest([], { path, parameters })).target;

describe('the target of a forwarded request', () => {
  it.each([
    ['/apis/g/v1/a/b c', '/apis/g/v1/a/b%20c'],
    ['/a/../b//c/', '/a/../b//c/'],
    ['/ä?#[]', '/%C3%A4%3F%23%5B%5D'],
    ["/$&+,/:;=@-_.~!'()*", '/$&+,/:;=@-_.~%21%27%28%29%2A'],
    ['/100%', '/100%25'],
  ])('encodes the path %s as %s', (path, encoded) => {
    expect(targetOf(path)).toBe(encoded);
  });

  it('encodes the query anew', () => {
    expect(
      targetOf('/a', [
        ['a b', "in (x,y)'*"],
        ['c', ''],
      ]),
    ).toBe('/a?a+b=in+%28x%2Cy%29%27%2A&c=');
  });
});
