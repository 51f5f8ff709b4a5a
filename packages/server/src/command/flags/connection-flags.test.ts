import { createSecureContext } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { connectionFlags, http2OptionsOf, tlsConnectionOf } from './connection-flags.ts';
import { parseFlags } from './flags.ts';

const parsed = (...words: readonly string[]): ReturnType<typeof parseFlags<typeof connectionFlags>> =>
  parseFlags(connectionFlags, words);

describe('flags of TLS', () => {
  it('become options of the listener', () => {
    const suites = [
      ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
      ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
      ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
      ['TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA', 'ECDHE-ECDSA-AES256-SHA'],
      ['TLS_RSA_WITH_AES_256_GCM_SHA384', 'AES256-GCM-SHA384'],
      ['TLS_AES_128_GCM_SHA256', 'TLS_AES_128_GCM_SHA256'],
    ] as const;
    const names = suites.map(([name]) => name).join(',');
    const options = tlsConnectionOf(
      parsed('--tls-min-version=VersionTLS13', `--tls-cipher-suites=${names}`, '--disable-http2-serving'),
    );
    const ofTls13 = 'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256';
    expect(options).toEqual({
      minimumVersion: 'TLSv1.3',
      ciphers: `${ofTls13}:${suites
        .slice(0, -1)
        .map(([, name]) => name)
        .join(':')}`,
      http2: false,
    });
    expect(() => createSecureContext({ ciphers: options.ciphers })).not.toThrow();
  });

  it.each([
    ['--tls-min-version=VersionTLS10', '"VersionTLS10" is neither VersionTLS12 nor VersionTLS13'],
    ['--tls-cipher-suites=TLS_RSA_WITH_NULL', '"TLS_RSA_WITH_NULL" is no cipher suite of this server'],
    ['--tls-cipher-suites=ECDHE-RSA-AES128-SHA', '"ECDHE-RSA-AES128-SHA" is no cipher suite of this server'],
    ['--goaway-chance=0.03', '0.03 is not a number from 0 to 0.02'],
    ['--goaway-chance=', ' is not a number from 0 to 0.02'],
    ['--http2-max-streams-per-connection=-1', '-1 is not an integer from 0'],
  ])('are checked: %s', (word, expected) => {
    expect(() => parsed(word)).toThrow(expected);
  });
});

it('limits the connections of HTTP/2', () => {
  const flags = parsed('--http2-max-streams-per-connection=5', '--goaway-chance=0.001');
  expect(http2OptionsOf(flags)).toEqual({ maximumConcurrentStreams: 5, goawayChance: 0.001 });
  expect([http2OptionsOf({}), tlsConnectionOf({})]).toEqual([{}, {}]);
});
