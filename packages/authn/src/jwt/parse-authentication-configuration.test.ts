import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authority } from '../certificates/certificates.fixture.ts';
import { parseAuthenticationConfiguration } from './parse-authentication-configuration.ts';

const HEAD = 'apiVersion: apiserver.config.orch.io/v1beta1\nkind: AuthenticationConfiguration\n';
const parse = (text: string, disallowedIssuers: readonly string[] = []) =>
  parseAuthenticationConfiguration(text, { vocabulary: orchVocabulary, disallowedIssuers });

/** A configuration with one issuer, parts of which can be replaced. */
const withIssuer = (issuer: object, more: object = {}): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.orch.io/v1alpha1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: { url: 'https://a', audiences: ['x'], ...issuer },
        claimMappings: { username: { claim: 'sub', prefix: '' } },
        ...more,
      },
    ],
  });

const base64 = btoa(String.fromCharCode(...authority));
const pem = `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;

describe('parseAuthenticationConfiguration', () => {
  it('reads YAML, in both versions', () => {
    const text = `${HEAD}anonymous: {enabled: true, conditions: [{path: /livez}]}
jwt:
- issuer: {url: "https://a", audiences: [x]}
  claimMappings: {username: {claim: sub, prefix: ""}}
`;
    const expected = {
      anonymous: { enabled: true, conditions: [{ path: '/livez' }] },
      jwt: [
        {
          issuer: { url: 'https://a', audiences: ['x'] },
          claimMappings: { username: { claim: 'sub', prefix: '' } },
        },
      ],
    };
    expect(parse(text)).toMatchObject(expected);
    expect(parse(text.replace('v1beta1', 'v1alpha1'))).toMatchObject(expected);
    expect(parse(withIssuer({ certificateAuthority: pem, discoveryURL: 'https://b/x' }))).toMatchObject({
      jwt: [{ issuer: { discoveryURL: 'https://b/x' } }],
    });
  });

  it.each([
    ['', 'empty config data'],
    ['[]', 'json: cannot unmarshal array into Go value of type struct'],
    ['kind: X', "Object 'apiVersion' is missing in 'kind: X'"],
    ['{"apiVersion":"v1"}', `Object 'Kind' is missing in '{"apiVersion":"v1"}'`],
    ['kind: X\napiVersion: v1', 'no kind "X" is registered for version "v1"'],
    [`${HEAD}jwt: [{nope: 1}]`, 'strict decoding error: unknown field "jwt[0].nope"'],
    [`${HEAD}jwt: x`, /cannot unmarshal string into Go struct field AuthenticationConfiguration\.jwt/],
    [HEAD.replace('orch.io', 'example.com'), /is registered for version/],
    [HEAD.replace('v1beta1', 'v1'), /is registered for version "apiserver.config.orch.io\/v1"/],
    ['a: [', /yaml/],
    ['{"a"', /unexpected/],
  ])('rejects %j as unreadable', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it.each([
    [
      { url: 'https://own' },
      'jwt[0].issuer.url: Invalid value: "https://own": URL must not overlap with disallowed issuers: [https://own https://z]',
    ],
    [
      { url: 'https://u:p@a' },
      'jwt[0].issuer.url: Invalid value: "https://u:p@a": URL must not contain a username or password',
    ],
    [
      { url: 'https://a#b' },
      'jwt[0].issuer.url: Invalid value: "https://a#b": URL must not contain a fragment',
    ],
    [
      { audiences: ['x', 'x'], audienceMatchPolicy: 'MatchAny' },
      'jwt[0].issuer.audiences[1]: Duplicate value: "x"',
    ],
    [
      { certificateAuthority: pem.replaceAll('\n', '') },
      'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates',
    ],
    [
      { certificateAuthority: pem.replace('MII', 'AAA') },
      'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": x509: malformed certificate',
    ],
  ])('rejects an issuer with %j', (issuer, message) => {
    expect(() => parse(withIssuer(issuer), ['https://z', 'https://own'])).toThrow(message);
  });

  it('reports every error', () => {
    const username = { expression: 'claims.email' };
    const extra = [{ key: 'x.orch.io/a', valueExpression: '1 +' }];
    const text = withIssuer({ url: '' }, { claimMappings: { username, extra } });
    expect(() => parse(text)).toThrow(/^\[jwt\[0\]\.issuer\.url: Required value: URL is required, /);
    expect(() => parse(text)).toThrow(
      'orch.io, kubernetes.io, k8s.io and their subdomains are reserved for Orch use',
    );
    expect(() => parse(text)).toThrow('extra[0].valueExpression: Invalid value: "1 +": compilation failed');
    expect(() => parse(text)).toThrow('claims.email_verified must be used');
  });

  it.each([
    ["claims.email_verified ? claims.email : ''"],
    ["claims.?email_verified.orValue(false) ? claims.email : ''"],
    ['[claims.email].filter(e, claims.email_verified)[0]'],
    ["{'a': claims.email_verified ? claims.email : ''}['a']"],
  ])('requires that the email %s is verified', (expression) => {
    const claimMappings = { username: { expression } };
    expect(() => parse(withIssuer({}, { claimMappings }))).not.toThrow();
  });

  it('accepts at most 64 issuers', () => {
    const one = JSON.parse(withIssuer({}));
    const many = (count: number): string =>
      JSON.stringify({
        ...one,
        jwt: Array.from({ length: count }, (_, i) => ({
          ...one.jwt[0],
          issuer: { url: `https://a${i}`, audiences: ['x'] },
        })),
      });
    expect(parse(many(64)).jwt).toHaveLength(64);
    expect(() => parse(many(65))).toThrow('jwt: Too many: 65: must have at most 64 items');
  });

  it('requires anonymous to be enabled if it has paths', () => {
    expect(() => parse(`${HEAD}anonymous: {enabled: false, conditions: [{path: /a}]}`)).toThrow(
      /anonymous.conditions: Invalid value: .*: enabled should be set to true when conditions are defined/,
    );
  });

  it('reports any error in one sentence, and never hangs', () => {
    const head = { kind: 'AuthenticationConfiguration', apiVersion: 'apiserver.config.k8s.io/v1beta1' };
    const text = fc.oneof(fc.string(), fc.constantFrom('https://a', 'claims.a', 'MatchAny', "'x'"));
    const mapping = fc.record({ claim: text, prefix: text, expression: text }, { requiredKeys: [] });
    const jwt = fc.record(
      {
        issuer: fc.record({ url: text, discoveryURL: text, audiences: fc.array(text) }, { requiredKeys: [] }),
        claimMappings: fc.record({ username: mapping, groups: mapping, uid: mapping }, { requiredKeys: [] }),
        userValidationRules: fc.array(fc.record({ expression: text })),
      },
      { requiredKeys: [] },
    );
    const documents = fc.oneof(
      fc.string(),
      fc.json(),
      fc.array(jwt, { maxLength: 3 }).map((list) => JSON.stringify({ ...head, jwt: list })),
    );
    fc.assert(
      fc.property(documents, (document) => {
        try {
          parseAuthenticationConfiguration(document, { vocabulary: kubernetesVocabulary });
        } catch (error) {
          expect((error as Error).name).toMatch(/^(Decode|TypedDecode|InvalidConfiguration)Error$/);
          expect((error as Error).message).not.toBe('');
        }
      }),
    );
  });
});
