import { encodeUtf8 } from '@ashlar/codec';
import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { ExecEntry } from '../configuration/client-configuration.ts';
import { parseClientConfiguration } from '../configuration/parse-client-configuration.ts';
import { execCluster, execInfo, readExecCredential } from './exec-credential.ts';
import { type ExecPlugin, execPluginOf } from './exec-plugin.ts';

const V1 = 'client.authentication.orch.io/v1';

function entry(block: string): ExecEntry {
  const { users } = parseClientConfiguration(encodeUtf8(`users: [{name: me, user: {exec: {${block}}}}]`));
  return users.get('me')?.exec as ExecEntry;
}

const pluginOf = (block: string): ExecPlugin => execPluginOf(entry(block), 'me', orchVocabulary);

describe('execPluginOf', () => {
  it('reads all fields of a block', () => {
    const block = `command: c, apiVersion: ${V1}, interactiveMode: Always, args: [a, b], installHint: get it,
      env: [{name: A, value: x}, {name: B}, {name: A, value: z}], provideClusterInfo: true`;
    expect(pluginOf(block)).toEqual({
      ...{ command: 'c', apiVersion: V1, interactiveMode: 'Always', args: ['a', 'b'] },
      ...{ installHint: 'get it', variables: { A: 'z', B: '' }, provideClusterInfo: true },
    });
  });

  it('may prompt in the older version by default', () => {
    expect(pluginOf(`command: c, apiVersion: ${V1}beta1`).interactiveMode).toBe('IfAvailable');
    expect(pluginOf(`command: c, apiVersion: ${V1}beta1, interactiveMode: Never`).interactiveMode).toBe(
      'Never',
    );
  });

  it('supports the versions of the vocabulary', () => {
    const block = entry('command: c, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never');
    expect(execPluginOf(block, 'me', kubernetesVocabulary).apiVersion).toBe(
      'client.authentication.k8s.io/v1',
    );
    expect(() => execPluginOf(block, 'me', orchVocabulary)).toThrow(`none of ${V1}, ${V1}beta1`);
  });

  it.each([
    [`apiVersion: ${V1}, interactiveMode: Never`, 'command is required'],
    ['command: c, interactiveMode: Never', 'apiVersion is required'],
    [`command: c, apiVersion: ${V1}alpha1`, `apiVersion is "${V1}alpha1", which is none of`],
    [`command: c, apiVersion: ${V1}`, `interactiveMode is required in ${V1}`],
    [`command: c, apiVersion: ${V1}, interactiveMode: Often`, 'interactiveMode is "Often", which is none of'],
    [`command: c, apiVersion: ${V1}, interactiveMode: Never, env: [{value: v}]`, 'env[0].name is required'],
  ])('rejects %s', (block, message) => {
    expect(() => pluginOf(block)).toThrow(`user "me": exec: ${message}`);
  });
});

describe('the input of a plugin', () => {
  const plugin = pluginOf(`command: c, apiVersion: ${V1}, interactiveMode: Never`);

  it('says whether it may prompt', () => {
    expect(JSON.parse(execInfo(plugin, true, undefined))).toEqual({
      ...{ kind: 'ExecCredential', apiVersion: V1 },
      spec: { interactive: true },
    });
  });

  it('contains the cluster, with its configuration', () => {
    const { clusters } = parseClientConfiguration(
      encodeUtf8(`clusters: [{name: c, cluster: {server: "https://h", tls-server-name: name, proxy-url: "http://p", disable-compression: true,
        extensions: [{name: other, extension: 1}, {name: client.authentication.orch.io/exec, extension: {a: [null]}}]}}]`),
    );
    const cluster = clusters.get('c');
    if (!cluster) throw new Error('no cluster');
    const received = execCluster(cluster, 'PEM', orchVocabulary);
    expect(JSON.parse(execInfo(plugin, false, received)).spec).toEqual({
      interactive: false,
      cluster: {
        ...{
          server: 'https://h',
          'tls-server-name': 'name',
          'disable-compression': true,
          'proxy-url': 'http://p',
        },
        ...{ 'certificate-authority-data': btoa('PEM'), config: { a: [null] } },
      },
    });
    expect(execCluster(cluster, undefined, kubernetesVocabulary)).toMatchObject({ config: null });
    expect(execCluster({ ...cluster, 'insecure-skip-tls-verify': true }, undefined, orchVocabulary)).toEqual(
      expect.objectContaining({ 'insecure-skip-tls-verify': true }),
    );
  });
});

describe('readExecCredential', () => {
  const plugin = pluginOf(`command: c, apiVersion: ${V1}, interactiveMode: Never`);
  const read = (text: string) => readExecCredential(encodeUtf8(text), plugin);
  const head = `apiVersion: ${V1}, kind: ExecCredential`;

  it('reads a token, a certificate with its key, and their expiry', () => {
    expect(read(`{${head}, status: {token: t}}`)).toEqual({
      credentials: { authorization: 'Bearer t' },
      expires: undefined,
    });
    const status =
      'clientCertificateData: C, clientKeyData: K, expirationTimestamp: "2026-01-02T03:04:05+01:00"';
    expect(read(`{${head}, status: {${status}}}`)).toEqual({
      credentials: { certificate: 'C', key: 'K' },
      expires: Date.UTC(2026, 0, 2, 2, 4, 5),
    });
  });

  it.each([
    ['', 'it did not print an ExecCredential of'],
    ['S3CRET', 'it did not print an ExecCredential of'],
    ['{S3CRET', 'it did not print an ExecCredential of'],
    [`{apiVersion: S3CRET, kind: ExecCredential}`, 'it did not print an ExecCredential of'],
    [`{apiVersion: ${V1}beta1, kind: ExecCredential, status: {token: S3CRET}}`, 'it did not print'],
    [`{${head}, status: S3CRET}`, 'it did not print an ExecCredential of'],
    [`{${head}}`, 'it printed no status'],
    [`{${head}, status: {}}`, 'it gave neither a token nor a certificate with its key'],
    [`{${head}, status: {token: [S3CRET]}}`, 'it did not print an ExecCredential of'],
    [`{${head}, status: {token: "S3CRET\\n"}}`, 'the token has characters that no header can carry'],
    [`{${head}, status: {token: t, clientKeyData: S3CRET}}`, 'a key without a certificate'],
    [`{${head}, status: {clientCertificateData: S3CRET}}`, 'a certificate without a key'],
    [`{${head}, status: {token: t, expirationTimestamp: S3CRET}}`, 'is not an RFC 3339 time'],
  ])('rejects %j without quoting it', (text, message) => {
    expect(() => read(text)).toThrow(message);
    expect(() => read(text)).not.toThrow('S3CRET');
  });
});
