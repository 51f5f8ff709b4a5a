import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { bytesOf, encryptSecrets, keyOf } from '../encryption.fixture.ts';
import { EncryptionConfigurationError } from './encryption-configuration-error.ts';
import { parseEncryptionConfiguration } from './parse-encryption-configuration.ts';

const parse = (text: string, vocabulary = kubernetesVocabulary) =>
  parseEncryptionConfiguration(bytesOf(text), { vocabulary, file: 'keys.yaml' });

const YAML = `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets, events]
  providers:
  - kms: {apiVersion: v2, name: cloud, endpoint: "unix:///run/kms.sock", timeout: 1s500ms}
  - identity: {}
`;

describe('encryption configurations', () => {
  it('are read with defaults', () => {
    const kms = {
      apiVersion: 'v2',
      name: 'cloud',
      endpoint: 'unix:///run/kms.sock',
      timeout: 1_500_000_000n,
    };
    expect(parse(YAML)).toEqual({
      resources: [{ resources: ['secrets', 'events'], providers: [{ kms }, { identity: {} }] }],
    });
    expect(parse(YAML.replace(', timeout: 1s500ms', '')).resources[0]?.providers[0]?.kms?.timeout).toBe(
      3_000_000_000n,
    );
  });

  it('may have the kind and version that were once documented', () => {
    const former = YAML.replace('apiserver.config.k8s.io/', '').replace('Configuration', 'Config');
    expect(parse(former)).toEqual(parse(YAML));
    expect(() => parse(YAML.replace('Configuration', 'Config'))).toThrow('no kind "EncryptionConfig"');
  });

  it('belong to the group of the vocabulary', () => {
    expect(() => parse(YAML, orchVocabulary)).toThrow(
      'error while parsing file: error decoding encryption provider configuration file "keys.yaml": no kind "EncryptionConfiguration" is registered for version "apiserver.config.k8s.io/v1"',
    );
    const orch = YAML.replace('k8s.io', 'orch.io').replace('events', "'*.events.orch.io'");
    expect(() => parse(orch, orchVocabulary)).toThrow(
      "'*.events.orch.io' objects are stored using the 'events' API group",
    );
  });

  it('name every error with its field', () => {
    const errors = errorsOf(YAML.replace('secrets', '"*"').replace('unix', 'http'));
    expect(errors.map(({ field }) => field)).toEqual([
      'resources[0].resources',
      'resources[0].resources[0]',
      'resources[0].providers[0].kms.endpoint',
    ]);
  });

  it('do not print their keys', () => {
    const provider = { secretbox: { keys: [{ ...keyOf('a', 1), name: '' }] }, identity: {} };
    let message = '';
    try {
      encryptSecrets([provider]);
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message).toContain('name is a mandatory field for a key');
    expect(message).not.toContain(keyOf('a', 1).secret);
  });

  it('need a connection for key services', () => {
    expect(() => encryptSecrets([{ kms: { apiVersion: 'v2', name: 'c', endpoint: 'unix:///a' } }])).toThrow(
      'key service c: this server connects to no key services',
    );
  });
});

function errorsOf(text: string): readonly { readonly field: string }[] {
  try {
    parse(text);
  } catch (error) {
    if (EncryptionConfigurationError.is(error)) return error.errors;
    throw error;
  }
  return [];
}
