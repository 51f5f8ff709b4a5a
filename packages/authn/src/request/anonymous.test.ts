import { describe, expect, it } from 'vitest';
import { NONE } from '../tokens/token-authenticator.ts';
import { withAnonymous } from './anonymous.ts';
import { fakeRequest } from './fake-request.fixture.ts';

describe('withAnonymous', () => {
  const { authenticate } = withAnonymous({ authenticate: () => NONE }, { paths: ['/healthz', '/a b'] });
  const outcome = async (url: string): Promise<string> => (await authenticate(fakeRequest({ url }))).outcome;

  it.each(['/healthz', '/healthz?verbose', '/%68ealthz', '/a%20b'])('accepts the path of %s', async (url) => {
    expect(await outcome(url)).toBe('authenticated');
  });

  it.each(['/healthz/', '//healthz', '/healthz#', '/healthz#/secrets', '/healthz%3Fx', '/healthz%zz', '/'])(
    'does not accept that of %s',
    async (url) => {
      expect(await outcome(url)).toBe('none');
    },
  );
});
