import { delimiter, join } from 'node:path';
import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configurationPaths } from './configuration-paths.ts';
import { loadConfiguration } from './load-configuration.ts';
import { Machine } from './machine.fixture.ts';

describe('configurationPaths', () => {
  it('are those of the environment, named by the vocabulary', () => {
    const paths = (environment: Record<string, string>) =>
      configurationPaths(environment, kubernetesVocabulary);
    expect(paths({ KUBECONFIG: ['', 'a', 'b', 'a', ''].join(delimiter), HOME: '/h' })).toEqual(['a', 'b']);
    expect(paths({ KUBECONFIG: '', HOME: '/h' })).toEqual([join('/h', '.kube', 'config')]);
    expect(paths({ USERPROFILE: '/u' })).toEqual([join('/u', '.kube', 'config')]);
    expect(paths({})).toEqual([]);
    const environment = { KUBECONFIG: 'a', HOME: '/h' };
    expect(configurationPaths(environment, orchVocabulary)).toEqual([join('/h', '.orch', 'config')]);
    expect(configurationPaths({ ORCHCONFIG: 'a' }, orchVocabulary)).toEqual(['a']);
  });
});

describe('loadConfiguration', () => {
  let machine: Machine;
  beforeEach(() => {
    machine = new Machine();
  });
  afterEach(() => machine[Symbol.dispose]());
  const load = (environment: Record<string, string>, file?: string) =>
    loadConfiguration({ environment, ...(file !== undefined && { file }) }, kubernetesVocabulary);

  it('merges the files that the environment names; some may be missing', () => {
    const one = machine.write('one', 'users: [{name: a, user: {token: t}}]');
    const two = machine.write('two', 'users: [{name: a}, {name: b}]\ncurrent-context: x');
    const { users, currentContext } = load({ KUBECONFIG: [one, '/nowhere', two].join(delimiter) });
    expect([...users].map(([name, { token, origin }]) => [name, token, origin]).sort()).toEqual([
      ['a', 't', one],
      ['b', undefined, two],
    ]);
    expect(currentContext).toBe('x');
  });

  it.each([
    [kubernetesVocabulary, 'KUBERNETES', 'kubernetes.io'],
    [orchVocabulary, 'ORCH', 'orch.io'],
  ])('finds the server of the surrounding cluster, named by $name', (vocabulary, word, domain) => {
    const environment = { [`${word}_SERVICE_HOST`]: 'h', [`${word}_SERVICE_PORT`]: '1' };
    const { clusters, users } = loadConfiguration({ environment }, vocabulary);
    const folder = `/var/run/secrets/${domain}/serviceaccount`;
    expect([...clusters.values()]).toEqual([
      expect.objectContaining({ server: 'https://h:1', 'certificate-authority': `${folder}/ca.crt` }),
    ]);
    expect([...users.values()]).toEqual([expect.objectContaining({ tokenFile: `${folder}/token` })]);
  });

  it('reads the file in the home folder, or a given one', () => {
    machine.write('.kube/config', 'current-context: home');
    const other = machine.write('other', 'current-context: other');
    expect(load({ HOME: machine.folder }).currentContext).toBe('home');
    expect(load({ HOME: machine.folder }, other).currentContext).toBe('other');
  });

  it.each([
    [{ KUBECONFIG: '/nowhere' }, undefined, 'there is no configuration: /nowhere cannot be found'],
    [{}, undefined, 'there is no configuration: the environment names no home folder'],
    [{}, '/nowhere', '/nowhere cannot be read (ENOENT)'],
    [{ KUBECONFIG: '/' }, undefined, '/ cannot be read (EISDIR)'],
    [{}, '/dev/null/x', '/dev/null/x cannot be read (ENOTDIR)'],
  ])('rejects %j and %s', (environment, file, message) => {
    expect(() => load(environment as Record<string, string>, file)).toThrow(
      expect.objectContaining({ name: 'ClientConfigurationError', message }),
    );
  });

  it('names the file that cannot be used', () => {
    const file = machine.write('f', 'users: 1');
    expect(() => load({}, file)).toThrow(`${file}: users: expected array, received number`);
  });
});
