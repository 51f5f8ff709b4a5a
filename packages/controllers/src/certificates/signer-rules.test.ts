import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import type { JsonGeneralNames } from '@peculiar/x509';
import { describe, expect, it } from 'vitest';
import { certificateRequest } from './certificate-request.fixture.ts';
import { readRequestedCertificate } from './requested-certificate.ts';
import { signerRules } from './signer-rules.ts';

const NODE = 'O=system:nodes,CN=system:node:one';
const rules = signerRules(orchVocabulary);

async function judged(
  signer: string,
  subject: string,
  usages: readonly string[],
  names: JsonGeneralNames = [],
): Promise<string> {
  const requested = readRequestedCertificate(await certificateRequest(subject, names));
  return rules.get(signer)?.(requested, usages) ?? 'signed';
}

const host = { type: 'dns', value: 'one.example' } as const;
const mail = { type: 'email', value: 'a@one.example' } as const;
const address = { type: 'ip', value: '10.0.0.1' } as const;
const uri = { type: 'url', value: 'https://one.example/' } as const;

describe('signers of certificates', () => {
  it('have the names of the vocabulary', () => {
    expect([...rules.keys()]).toEqual([
      'orch.io/orch-apiserver-client',
      'orch.io/orch-apiserver-client-kubelet',
      'orch.io/kubelet-serving',
      'orch.io/legacy-unknown',
    ]);
    expect([...signerRules(kubernetesVocabulary).keys()][0]).toBe('kubernetes.io/kube-apiserver-client');
  });

  it.each([
    [['client auth'], 'signed'],
    [['client auth', 'digital signature', 'key encipherment'], 'signed'],
    [['digital signature'], 'missing required usage for client certificate: client auth'],
    [['client auth', 'server auth'], 'invalid usage for client certificate: server auth'],
    [['any'], 'invalid usage for client certificate: any'],
  ])('for clients of the server: %j is %s', async (usages, verdict) => {
    expect(await judged('orch.io/orch-apiserver-client', 'CN=anna,O=dev', usages, [host])).toBe(verdict);
  });

  const CLIENT = ['client auth', 'digital signature'];
  it.each([
    [NODE, CLIENT, [], 'signed'],
    [NODE, [...CLIENT, 'key encipherment'], [], 'signed'],
    ['CN=system:node:one', CLIENT, [], 'subject organization is not system:nodes'],
    [`${NODE},O=dev`, CLIENT, [], 'subject organization is not system:nodes'],
    ['O=system:nodes,CN=anna', CLIENT, [], 'subject common name does not begin with system:node:'],
    [NODE, CLIENT, [host], 'DNS subjectAltNames are not allowed'],
    [NODE, CLIENT, [mail], 'Email subjectAltNames are not allowed'],
    [NODE, CLIENT, [address], 'IP subjectAltNames are not allowed'],
    [NODE, CLIENT, [uri], 'URI subjectAltNames are not allowed'],
    [NODE, ['client auth'], [], 'usages did not match [client auth digital signature key encipherment]'],
    [
      NODE,
      [...CLIENT, 'server auth'],
      [],
      'usages did not match [client auth digital signature key encipherment]',
    ],
  ])('for nodes as clients: %s for %j with %j is %s', async (subject, usages, names, verdict) => {
    expect(await judged('orch.io/orch-apiserver-client-kubelet', subject, usages, [...names])).toBe(verdict);
  });

  const SERVER = ['server auth', 'digital signature'];
  it.each([
    [NODE, SERVER, [host], 'signed'],
    [NODE, [...SERVER, 'key encipherment'], [address], 'signed'],
    [NODE, SERVER, [], 'DNS or IP subjectAltName is required'],
    [NODE, SERVER, [host, mail], 'Email subjectAltNames are not allowed'],
    [NODE, SERVER, [host, uri], 'URI subjectAltNames are not allowed'],
    ['CN=system:node:one', SERVER, [host], 'subject organization is not system:nodes'],
    ['O=system:nodes,CN=anna', SERVER, [host], 'subject common name does not begin with system:node:'],
    [NODE, CLIENT, [host], 'usages did not match [digital signature key encipherment server auth]'],
  ])('for nodes as servers: %s for %j with %j is %s', async (subject, usages, names, verdict) => {
    expect(await judged('orch.io/kubelet-serving', subject, usages, [...names])).toBe(verdict);
  });

  it('can be disabled', async () => {
    expect(await judged('orch.io/legacy-unknown', 'CN=anna', ['any'], [mail])).toBe('signed');
  });
});
