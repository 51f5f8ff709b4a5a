import { encodeUtf8 } from '@ashlar/codec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeApi } from '../client/fake-api.fixture.ts';
import { openConnection } from '../connection/open-connection.ts';
import { createManualAmbient } from '../manual-ambient.fixture.ts';
import { ClientConfigurationError } from './client-configuration.ts';
import { parseClientConfiguration } from './parse-client-configuration.ts';

/** Credentials, which no error may contain. */
const SECRET = 'S3CR3T0123456789S3CR3T01';
const EXEC = `exec: {command: c, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, args: [${SECRET}]}`;
const WHOLE = `apiVersion: v1
kind: Config
clusters:
- {name: c, cluster: {server: "https://c", certificate-authority-data: ${SECRET}}}
users:
- {name: token, user: {token: ${SECRET}, as: a, as-groups: [g], as-user-extra: {k: [v]}}}
- {name: basic, user: {username: u, password: "${SECRET}"}}
- {name: key, user: {client-certificate-data: ${SECRET}, client-key-data: ${SECRET}}}
- {name: plugin, user: {${EXEC}}}
contexts:
- {name: a, context: {cluster: c, user: token}}
- {name: b, context: {cluster: c, user: basic}}
- {name: c, context: {cluster: c, user: key}}
- {name: d, context: {cluster: c, user: plugin}}
current-context: a
`;

const surroundings = {
  ambient: createManualAmbient(),
  transport: new FakeApi(),
  runPlugin: async () => ({ outcome: 'missing' }) as const,
};

/** Uses every context of the bytes. Returns rejections; anything but a precise error fails the test. */
function refusals(bytes: Uint8Array): readonly string[] {
  const messages: string[] = [];
  const attempt = <T>(use: () => T): T | undefined => {
    try {
      return use();
    } catch (error) {
      expect(error).toBeInstanceOf(ClientConfigurationError);
      messages.push((error as Error).message);
      return undefined;
    }
  };
  const configuration = attempt(() => parseClientConfiguration(bytes, 'some-file'));
  for (const context of [undefined, ...(configuration?.contexts.keys() ?? [])])
    if (configuration) attempt(() => openConnection(configuration, surroundings, context));
  return messages;
}

describe('a client configuration', () => {
  it('is valid to begin with', () => {
    expect(refusals(encodeUtf8(WHOLE))).toEqual([]);
  });

  it('is parsed from any bytes, or rejected with a message', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ maxLength: 200, unit: 'binary' }).map(encodeUtf8),
      fc.json().map(encodeUtf8),
    );
    fc.assert(
      fc.property(bytes, (each) => {
        for (const message of refusals(each)) expect(message).toMatch(/\S/);
      }),
      { numRuns: 500 },
    );
  });

  it('is parsed from any field values, or rejected with a message', () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('https://h', 'a', btoa('a'), ''));
    const fields = (names: readonly string[]) =>
      fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 });
    const list = (part: string, names: readonly string[]) =>
      fc.array(fc.record({ name: fc.constantFrom('a', 'b'), [part]: fields(names) }), { maxLength: 2 });
    const file = fc.record({
      clusters: list('cluster', ['server', 'certificate-authority-data', 'proxy-url', 'extensions']),
      users: list('user', ['token', 'tokenFile', 'username', 'as', 'as-groups', 'as-user-extra', 'exec']),
      contexts: fc.constant([{ name: 'a', context: { cluster: 'a', user: 'a' } }]),
      'current-context': fc.constant('a'),
    });
    fc.assert(
      fc.property(file, (each) => {
        for (const message of refusals(encodeUtf8(JSON.stringify(each)))) expect(message).toMatch(/\S/);
      }),
      { numRuns: 500 },
    );
  });

  it('does not leak its credentials in errors', () => {
    const damage = fc.record({
      at: fc.nat(WHOLE.length),
      length: fc.nat(2),
      text: fc.oneof(fc.constantFrom(...'{}[]:,"\'!&*?|>-#%@`\n\t\0'), fc.string({ maxLength: 3 })),
    });
    let refused = 0;
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (damages) => {
        let text = WHOLE;
        for (const { at, length, text: other } of damages)
          text = text.slice(0, at) + other + text.slice(at + length);
        const messages = refusals(encodeUtf8(text));
        refused += messages.length;
        // half of it would be too much
        for (const message of messages) expect(message).not.toContain(SECRET.slice(0, 12));
      }),
      { numRuns: 1000 },
    );
    expect(refused).toBeGreaterThan(300);
  });
});
