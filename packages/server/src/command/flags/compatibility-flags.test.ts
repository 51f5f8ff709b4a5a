import { describe, expect, it } from 'vitest';
import { http2OptionsOf } from './connection-flags.ts';
import { parseFlags } from './flags.ts';
import { serveFlags } from './serve-flags.ts';

const parse = (...words: string[]) => parseFlags(serveFlags, words);

describe('flags of other servers', () => {
  it.each([
    '--contention-profiling',
    '--contention-profiling=false',
    '--default-watch-cache-size=100',
    '--delete-collection-workers=1',
    '--enable-garbage-collector',
    '--permit-address-sharing',
    '--permit-port-sharing=false',
    '--watch-cache=true',
    '--watch-cache-sizes=pods#100,deployments.apps#5',
    '--requestheader-allowed-names=',
    '--service-account-max-token-expiration=0',
    '--service-account-jwks-uri=https://keys.example/x',
  ])('are accepted where they change nothing: %s', (word) => {
    expect(Object.keys(parse(word))).toHaveLength(1);
  });

  it.each([
    ['--enable-garbage-collector=false', 'the collection of garbage cannot be switched off'],
    ['--permit-address-sharing=false', 'always listens'],
    ['--permit-port-sharing', 'cannot share its port'],
    ['--watch-cache=false', 'watches are always served from memory'],
    ['--watch-cache-sizes=pods#0', 'the cache of pods cannot be switched off'],
    ['--watch-cache-sizes=pods', 'pods is not of the form RESOURCE#SIZE'],
    ['--default-watch-cache-size=0', '0 is not an integer from 1'],
    ['--service-account-max-token-expiration=59m', 'must be between 1 hour and 2^32 seconds'],
    ['--service-account-max-token-expiration=4294967297s', 'must be between 1 hour and 2^32 seconds'],
    [
      '--service-account-jwks-uri=http://a',
      'service-account-jwks-uri requires https scheme, parsed as: http://a',
    ],
    ['--service-account-jwks-uri=https://a b', 'service-account-jwks-uri must be a valid URL: parse '],
    [
      '--service-account-issuer=https://a,https://a',
      'service-account-issuer "https://a" is already specified',
    ],
  ])('are refused where they would: %s', (word, why) => {
    expect(() => parse(word)).toThrow(why);
  });

  it('refuse an issuer that is named again', () => {
    expect(() => parse('--service-account-issuer=a', '--service-account-issuer=a')).toThrow(
      'service-account-issuer "a" is already specified',
    );
  });

  it('take no streams of HTTP/2 for the default', () => {
    expect(http2OptionsOf(parse('--http2-max-streams-per-connection=0'))).toEqual({});
    expect(http2OptionsOf(parse('--http2-max-streams-per-connection=7'))).toEqual({
      maximumConcurrentStreams: 7,
    });
  });
});
