import { encodeUtf8 } from '@ashlar/codec';
import { describe, expect, it } from 'vitest';
import type { ClientConfiguration } from './client-configuration.ts';
import { mergeClientConfigurations } from './merge-client-configurations.ts';
import { parseClientConfiguration } from './parse-client-configuration.ts';
import { selectContext } from './select-context.ts';

const parse = (text: string, origin?: string): ClientConfiguration =>
  parseClientConfiguration(encodeUtf8(text), origin);

describe('parseClientConfiguration', () => {
  it('reads clusters, users and contexts by name, with their file', () => {
    const { clusters, users, contexts, currentContext } = parse(
      `apiVersion: v1
kind: Config
preferences: {colors: true}
current-context: home
clusters:
- name: one
  cluster:
    server: https://one
    certificate-authority-data: ${btoa('PEM')}
    insecure-skip-tls-verify: null
    extensions: [{name: e, extension: {a: [null, 1]}}]
users:
- name: me
  user:
    token: t
    username: ''
    as-user-extra: {scopes: [a, b]}
    exec: {command: c, args: [x], env: [{name: A, value: b}], provideClusterInfo: true}
- name: nobody
contexts:
- {name: home, context: {cluster: one, user: me, namespace: ns, extensions: []}}
`,
      'f',
    );
    expect(currentContext).toBe('home');
    expect(clusters.get('one')).toEqual({
      origin: 'f',
      server: 'https://one',
      'certificate-authority-data': 'PEM',
      'insecure-skip-tls-verify': false,
      'disable-compression': false,
      extensions: [{ name: 'e', extension: { a: [null, 1] } }],
    });
    expect(users.get('me')).toEqual({
      ...{ origin: 'f', token: 't', 'as-groups': [] },
      'as-user-extra': new Map([['scopes', ['a', 'b']]]),
      exec: {
        command: 'c',
        args: ['x'],
        env: [{ name: 'A', value: 'b' }],
        provideClusterInfo: true,
      },
    });
    expect(users.get('nobody')).toEqual({ origin: 'f', 'as-groups': [], 'as-user-extra': new Map() });
    expect(contexts.get('home')).toEqual({ origin: 'f', cluster: 'one', user: 'me', namespace: 'ns' });
  });

  it.each(['', '---\n', 'null', '{}', 'clusters: null'])('parses %j as an empty configuration', (text) => {
    const { clusters, users, contexts, currentContext } = parse(text);
    expect([clusters.size, users.size, contexts.size, currentContext]).toEqual([0, 0, 0, undefined]);
  });

  it.each([
    ['[', 'f: yaml: line 1: did not find expected node content'],
    ['{1: a, [b]: s3cret}', 'f: yaml: invalid map key'],
    ['? {s3cret: 1}\n: 2', 'f: yaml: invalid map key'],
    ['a: *s3cret', 'f: yaml: unknown anchor'],
    ['a: !!int s3cret', 'f: yaml: cannot decode'],
    ['just words', 'f: expected object, received string'],
    ['kind: Pod', 'f: expected kind Config of apiVersion v1, received another one'],
    ['apiVersion: v2', 'f: expected kind Config of apiVersion v1, received another one'],
    ['users: {}', 'f: users: expected array, received object'],
    ['users: [{name: a, user: {token: 5}}]', 'f: users[0].user.token: expected string, received number'],
    ['users: [{}, {user: [s3cret]}]', 'f: users[1].user: expected object, received array'],
    ['users: [{user: {client-key-data: s3cret}}]', 'f: users[0].user.client-key-data: expected base64'],
    ['contexts: [{name: a}, {name: a}]', 'f: contexts[1].name: "a" stands there already'],
  ])('rejects %j without quoting possible credentials', (text, message) => {
    expect(() => parse(text, 'f')).toThrow(expect.objectContaining({ message }));
  });

  it('rejects bytes that are not text', () => {
    expect(() => parseClientConfiguration(new Uint8Array([0x61, 0xff]))).toThrow(/^yaml: /);
  });
});

describe('mergeClientConfigurations', () => {
  it('prefers the first, entry by entry', () => {
    const { clusters, users, currentContext } = mergeClientConfigurations([
      parse('users: [{name: a, user: {token: one}}]', 'one'),
      parse('users: [{name: a, user: {as: x}}, {name: b}]\ncurrent-context: two', 'two'),
      parse('clusters: [{name: c}]\ncurrent-context: three', 'three'),
    ]);
    expect(currentContext).toBe('two');
    expect([users.get('a')?.token, users.get('a')?.as]).toEqual(['one', undefined]);
    expect([...users.values(), ...clusters.values()].map(({ origin }) => origin).sort()).toEqual([
      'one',
      'three',
      'two',
    ]);
  });
});

describe('selectContext', () => {
  const configuration = parse(`
clusters: [{name: c}]
users: [{name: u}]
contexts:
- {name: whole, context: {cluster: c, user: u, namespace: ns}}
- {name: nobody, context: {cluster: c}}
- {name: nowhere, context: {user: u}}
- {name: lost, context: {cluster: d}}
- {name: stranger, context: {cluster: c, user: v}}
current-context: whole
`);

  it('selects the current context, or another', () => {
    expect(selectContext(configuration)).toMatchObject({ clusterName: 'c', userName: 'u', namespace: 'ns' });
    const { user, namespace } = selectContext(configuration, 'nobody');
    expect([user, namespace]).toEqual([undefined, 'default']);
  });

  it.each([
    ['none', 'there is no context "none"'],
    ['nowhere', 'context "nowhere": it names no cluster'],
    ['lost', 'context "lost": there is no cluster "d"'],
    ['stranger', 'context "stranger": there is no user "v"'],
  ])('rejects the context %s', (context, message) => {
    expect(() => selectContext(configuration, context)).toThrow(message);
  });

  it('reports a missing current context', () => {
    expect(() => selectContext(parse(''))).toThrow('there is no configuration');
    expect(() => selectContext(parse('users: [{name: a}]'))).toThrow('there is no current-context');
  });
});
