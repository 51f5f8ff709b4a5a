import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../types/in-memory-resource.fixture.ts';
import { secrets } from './secrets.ts';

const FROZEN = 'Forbidden: field is immutable when `immutable` is set';
let resource: InMemoryResource;

beforeEach(() => {
  resource = new InMemoryResource(secrets(kubernetesVocabulary));
});

describe('secrets', () => {
  it('merge stringData into data, and never store it', async () => {
    const stored = await resource.create({
      metadata: { name: 'a' },
      data: { b: 'Yg==', c: 'b2xk' },
      stringData: { c: 'new', a: 'ü' },
    });
    expect(Object.entries(stored.data as object)).toEqual([
      ['a', 'w7w='],
      ['b', 'Yg=='],
      ['c', 'bmV3'],
    ]);
    expect(stored).not.toHaveProperty('stringData');
    expect(resource.cells(stored)).toEqual(['a', 'Opaque', 3, '90s']);
  });

  it('store null values as empty ones', async () => {
    expect(await resource.create({ metadata: { name: 'a' }, data: { k: null } })).toMatchObject({
      data: { k: '' },
    });
  });

  it('merge stringData into stored data', async () => {
    await resource.create({ metadata: { name: 'a' }, stringData: { a: 'x' } });
    const changed = await resource.change('a', (object) => ({ ...object, stringData: { b: 'y' } }));
    expect(changed.data).toEqual({ a: 'eA==', b: 'eQ==' });
  });

  it('are Opaque by default, also in updates', async () => {
    await resource.create({ metadata: { name: 'plain' } });
    expect(await resource.replace('plain', { metadata: { name: 'plain' } })).toMatchObject({
      type: 'Opaque',
    });
    await resource.create({ metadata: { name: 'own' }, type: 'example.com/own' });
    expect(await causesOf(resource.replace('own', { metadata: { name: 'own' } }))).toEqual([
      'type: Invalid value: "Opaque": field is immutable',
    ]);
  });

  it('are selected by type', async () => {
    await resource.create({ metadata: { name: 'plain' } });
    await resource.create({ metadata: { name: 'own' }, type: 'example.com/own' });
    expect(await resource.select('type=Opaque')).toEqual(['plain']);
    expect(await resource.select('type!=Opaque,metadata.namespace=default')).toEqual(['own']);
    await expect(resource.select('data=x')).rejects.toThrow('field label not supported: data');
  });

  it('reject keys that are not file names, and more than one mebibyte of bytes', async () => {
    const refused = resource.create({
      metadata: { name: 'a' },
      stringData: { '..a': 'x'.repeat(1024 * 1024 + 1) },
    });
    expect(await causesOf(refused)).toEqual([
      `data[..a]: Invalid value: "..a": must not start with '..'`,
      'data: Too long: may not be more than 1048576 bytes',
    ]);
    await resource.create({ metadata: { name: 'exact' }, stringData: { a: 'x'.repeat(1024 * 1024) } });
  });

  it('that are immutable stay so, with their data', async () => {
    await resource.create({ metadata: { name: 'a' }, stringData: { a: 'x' } });
    await resource.change('a', (object) => ({ ...object, immutable: true }));
    expect(await causesOf(resource.change('a', (object) => ({ ...object, stringData: { a: 'y' } })))).toEqual(
      [`data: ${FROZEN}`],
    );
    const thawed = resource.replace('a', { metadata: { name: 'a' }, stringData: { a: 'x' } });
    expect(await causesOf(thawed)).toEqual([`immutable: ${FROZEN}`]);
    const renamed = resource.change('a', (object) => ({
      ...object,
      metadata: { ...(object.metadata as object), generateName: 'a_' },
      type: 'x',
      stringData: { ' ': 'y' },
    }));
    expect(await causesOf(renamed)).toEqual([
      'type: Invalid value: "x": field is immutable',
      `data: ${FROZEN}`,
      expect.stringMatching(/^metadata\.generateName: /),
      expect.stringMatching(/^data\[ ]: /),
    ]);
  });
});

describe('types of secrets', () => {
  const refusal = (type: string, stringData = {}): Promise<readonly string[]> =>
    causesOf(resource.create({ metadata: { name: 'a' }, type, stringData }));

  it.each([
    ['kubernetes.io/tls', ['data[tls.crt]: Required value', 'data[tls.key]: Required value']],
    ['kubernetes.io/dockercfg', ['data[.dockercfg]: Required value']],
    ['kubernetes.io/dockerconfigjson', ['data[.dockerconfigjson]: Required value']],
    ['kubernetes.io/basic-auth', ['data[username]: Required value', 'data[password]: Required value']],
    ['kubernetes.io/ssh-auth', ['data[ssh-privatekey]: Required value']],
    [
      'kubernetes.io/service-account-token',
      ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
    ],
  ])('%s requires its keys', async (type, causes) => {
    expect(await refusal(type)).toEqual(causes);
  });

  it('may have an empty name or password, but no empty key', async () => {
    await resource.create({
      metadata: { name: 'user' },
      type: 'kubernetes.io/basic-auth',
      stringData: { username: '' },
    });
    expect(await refusal('kubernetes.io/ssh-auth', { 'ssh-privatekey': '' })).toEqual([
      'data[ssh-privatekey]: Required value',
    ]);
  });

  it('require JSON objects for registries, without quoting them', async () => {
    const received = 'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>":';
    expect(await refusal('kubernetes.io/dockerconfigjson', { '.dockerconfigjson': '["secret"]' })).toEqual([
      `${received} json: cannot unmarshal array into Go value of type map[string]interface {}`,
    ]);
    const [text] = await refusal('kubernetes.io/dockerconfigjson', { '.dockerconfigjson': '{secret' });
    expect(text).toBe(`${received} invalid character 's' looking for beginning of object key string`);
  });

  it('use the domain of the vocabulary', async () => {
    const other = new InMemoryResource(secrets(orchVocabulary));
    await other.create({ metadata: { name: 'a' }, type: 'kubernetes.io/tls' });
    expect(await causesOf(other.create({ metadata: { name: 'b' }, type: 'orch.io/tls' }))).toHaveLength(2);
  });

  it('without rules accept anything', async () => {
    expect(await resource.create({ metadata: { name: 'a' }, type: 'whatever' })).toMatchObject({
      type: 'whatever',
    });
  });
});

describe('warnings of certificates', () => {
  const block = (type: string): string => `-----BEGIN ${type}-----\nAAEC\n-----END ${type}-----\n`;
  const warned = async (certificate: string, key: string): Promise<readonly string[]> => {
    const stringData = { 'tls.crt': certificate, 'tls.key': key };
    await resource.create({ metadata: { name: 'a' }, type: 'kubernetes.io/tls', stringData });
    return resource.warnings;
  };

  it.each([
    ['x', 'y', 'tls: failed to find any PEM data in certificate input'],
    [
      block('PRIVATE KEY'),
      'y',
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
    [
      block('A') + block('B'),
      'y',
      'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B]',
    ],
    [block('CERTIFICATE'), 'y', 'tls: failed to find any PEM data in key input'],
    [
      block('CERTIFICATE'),
      block('CERTIFICATE'),
      'tls: found a certificate rather than a key in the PEM for the private key',
    ],
    [
      block('CERTIFICATE'),
      block('A'),
      'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [A]',
    ],
  ])('report problems (%#)', async (certificate, key, text) => {
    expect(await warned(certificate, key)).toEqual([text]);
  });
});
