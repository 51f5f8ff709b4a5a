import { groupName, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createApiServer } from '../assembly/create-api-server.ts';
import { readAdmissionConfiguration } from './admission-configuration.ts';

describe.each([kubernetesVocabulary, orchVocabulary])('in vocabulary $name', (vocabulary) => {
  const group = (declared: string): string => groupName(vocabulary, declared);
  const head = `apiVersion: ${group('apiserver.config.')}/v1\nkind: AdmissionConfiguration\n`;
  const security = {
    apiVersion: `${group('pod-security.admission.config.')}/v1`,
    kind: 'PodSecurityConfiguration',
  };
  const read = (text: string, files: Readonly<Record<string, string>> = {}) =>
    readAdmissionConfiguration(new TextEncoder().encode(text), {
      vocabulary,
      readFile(path) {
        const content = files[path];
        if (content === undefined) throw new Error(`${path} does not exist`);
        return new TextEncoder().encode(content);
      },
    });
  const plugin = (name: string, configuration: object): string =>
    `${head}plugins: ${JSON.stringify([{ name, configuration }])}`;

  it('plugins are configured in place, or in files', () => {
    const defaults = { enforce: 'baseline', 'enforce-version': 'v1.20' };
    const exemptions = { namespaces: ['a'] };
    expect(read(plugin('PodSecurity', { ...security, defaults, exemptions }))).toEqual({
      PodSecurity: { defaults, exemptions },
    });
    const files = {
      'selectors.yaml': 'podNodeSelectorPluginConfig:\n  clusterDefaultNodeSelector: a=b\n  team: ""\n',
      'tolerations.json': JSON.stringify({
        apiVersion: `${group('podtolerationrestriction.admission.')}/v1alpha1`,
        kind: 'Configuration',
        default: [{ key: 'k' }],
      }),
    };
    const text = `${head}plugins:\n- {name: PodNodeSelector, path: selectors.yaml}\n- {name: PodTolerationRestriction, path: tolerations.json}\n`;
    expect(read(text, files)).toEqual({
      PodNodeSelector: { clusterDefaultNodeSelector: 'a=b', team: '' },
      PodTolerationRestriction: { default: [{ key: 'k' }] },
    });
    expect(read(head)).toEqual({});
  });

  it.each<[string, () => unknown, string]>([
    ['another kind', () => read('kind: Other'), 'it must be of kind AdmissionConfiguration and version'],
    ['an unknown field', () => read(`${head}plugin: []`), 'unknown field "plugin"'],
    ['an unknown field of a plugin', () => read(`${head}plugins: [{x: 1}]`), 'unknown field "plugins[0].x"'],
    ['a duplicate', () => read(`${head}plugins: []\nplugins: []`), 'strict decoding error'],
    [
      'a plugin without configuration',
      () => read(plugin('ImagePolicyWebhook', {})),
      'ImagePolicyWebhook cannot be',
    ],
    ['a missing file', () => read(`${head}plugins: [{name: PodSecurity, path: x}]`), 'x does not exist'],
    [
      'a level that does not exist',
      () => read(plugin('PodSecurity', { ...security, defaults: { warn: 'strict' } })),
      'defaults.warn: Invalid value: "strict": must be one of privileged, baseline, restricted',
    ],
    [
      'names twice',
      () => read(plugin('PodSecurity', { ...security, exemptions: { usernames: ['u', 'u', ''] } })),
      'exemptions.usernames[1]: Duplicate value: "u", exemptions.usernames[2]: Invalid value: "": username must not be empty',
    ],
    [
      'a selector that is no text',
      () => read(plugin('PodNodeSelector', { podNodeSelectorPluginConfig: { n: 1 } })),
      'podNodeSelectorPluginConfig must be an object of strings',
    ],
  ])('%s is refused', (_, call, why) => {
    expect(call).toThrow(why);
  });

  it('a server uses it, and refuses one with errors', async () => {
    const defaults = { enforce: 'strict' };
    const options = { vocabulary, admissionConfiguration: { PodSecurity: { defaults } } };
    expect(() => createApiServer(options)).toThrow('PodSecurity: defaults.enforce: Invalid value: "strict"');
    const exempt = { PodSecurity: { exemptions: { namespaces: ['n'] } } };
    await using server = createApiServer({ vocabulary, controllers: false, admissionConfiguration: exempt });
    await server.ready;
    const labels = { [`pod-security.${vocabulary.labelDomain}/enforce`]: 'baseline' };
    const body = JSON.stringify({ metadata: { name: 'n', labels } });
    const headers = { 'content-type': 'application/json' };
    const request = new Request('http://localhost/api/v1/namespaces', { method: 'POST', headers, body });
    expect((await server.fetch(request)).headers.get('warning')).toContain('is exempt from Pod Security');
  });
});
