import { groupName, kubernetesVocabulary, orchVocabulary, type Transport } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createApiServer } from '../assembly/create-api-server.ts';
import { readAdmissionConfiguration } from './read-admission-configuration.ts';

/** What is wrong, the plugin, its configuration, and the error. */
const configurationFaults: readonly (readonly [
  string,
  string,
  (group: (declared: string) => string) => object,
  string,
])[] = [
  [
    'limits that are not positive',
    'EventRateLimit',
    (group) => ({
      apiVersion: `${group('eventratelimit.admission.')}/v1alpha1`,
      kind: 'Configuration',
      limits: [{ type: 'User', qps: 1 }],
    }),
    'limits[0].burst: Invalid value: 0: must be positive',
  ],
  [
    'a time beyond its bounds',
    'ImagePolicyWebhook',
    () => ({ imagePolicy: { kubeConfigFile: 'f', allowTTL: 3600 } }),
    'valid value is between 1s and 30m0s, got 1h0m0s',
  ],
  [
    'an image policy without a file',
    'ImagePolicyWebhook',
    () => ({ imagePolicy: {} }),
    'imagePolicy.kubeConfigFile must be the name of a file',
  ],
  [
    'a limited resource without a name',
    'ResourceQuota',
    (group) => ({
      apiVersion: `${group('apiserver.config.')}/v1`,
      kind: 'ResourceQuotaConfiguration',
      limitedResources: [{}],
    }),
    'limitedResources[0].resource: Required value',
  ],
  [
    'a relative file of credentials',
    'MutatingAdmissionWebhook',
    (group) => ({
      apiVersion: `${group('apiserver.config.')}/v1`,
      kind: 'WebhookAdmissionConfiguration',
      kubeConfigFile: 'f',
    }),
    'kubeConfigFile: Invalid value: "f": must be an absolute file path',
  ],
];

describe.each([kubernetesVocabulary, orchVocabulary])('in vocabulary $name', (vocabulary) => {
  const group = (declared: string): string => groupName(vocabulary, declared);
  const transport: Transport = { request: () => Promise.reject(new Error('unreachable')) };
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
      openConnection: (file) => ({ url: `https://${file}`, transport }),
      openUsers: () => (server) => (server === 'hook.n.svc:443' ? transport : undefined),
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

  it('limits of events, image policies, limited resources and credentials for webhooks are read', () => {
    const limits = [{ type: 'User', qps: 1, burst: 2 }];
    const events = {
      apiVersion: `${group('eventratelimit.admission.')}/v1alpha1`,
      kind: 'Configuration',
      limits,
    };
    expect(read(plugin('EventRateLimit', events))).toEqual({
      EventRateLimit: { limits: [{ ...limits[0], cacheSize: 0 }] },
    });
    const imagePolicy = { kubeConfigFile: 'f', allowTTL: 50, denyTTL: -1, defaultAllow: true };
    expect(read(plugin('ImagePolicyWebhook', { imagePolicy }))).toEqual({
      ImagePolicyWebhook: {
        ...{ allowMilliseconds: 50_000, denyMilliseconds: 0, retryMilliseconds: 500, defaultAllow: true },
        ...{ url: 'https://f', transport },
      },
    });
    const limitedResources = [{ resource: 'pods', matchScopes: [{ scopeName: 'BestEffort' }] }];
    const config = `${group('apiserver.config.')}/v1`;
    for (const [apiVersion, kind] of [
      [config, 'ResourceQuotaConfiguration'],
      [`${group('resourcequota.admission.')}/v1beta1`, 'Configuration'],
    ])
      expect(read(plugin('ResourceQuota', { apiVersion, kind, limitedResources }))).toEqual({
        ResourceQuota: { limitedResources },
      });
    const file = { apiVersion: config, kind: 'WebhookAdmissionConfiguration', kubeConfigFile: '/f' };
    const { ValidatingAdmissionWebhook } = read(plugin('ValidatingAdmissionWebhook', file));
    expect(ValidatingAdmissionWebhook?.transportTo('hook.n.svc:443')).toBe(transport);
    expect(ValidatingAdmissionWebhook?.transportTo('other.n.svc:443')).toBeUndefined();
  });

  it.each<[string, () => unknown, string]>([
    ['another kind', () => read('kind: Other'), 'it must be of kind AdmissionConfiguration and version'],
    ['an unknown field', () => read(`${head}plugin: []`), 'unknown field "plugin"'],
    ['an unknown field of a plugin', () => read(`${head}plugins: [{x: 1}]`), 'unknown field "plugins[0].x"'],
    ['a duplicate', () => read(`${head}plugins: []\nplugins: []`), 'strict decoding error'],
    [
      'a plugin without configuration',
      () => read(plugin('AlwaysPullImages', {})),
      'AlwaysPullImages cannot be',
    ],
    ['a missing file', () => read(`${head}plugins: [{name: PodSecurity, path: x}]`), 'x does not exist'],
    [
      'a level that does not exist',
      () => read(plugin('PodSecurity', { ...security, defaults: { warn: 'strict' } })),
      'defaults.warn: Invalid value: "strict": must be one of privileged, baseline, restricted',
    ],
    ...configurationFaults.map(([what, name, configuration, why]): [string, () => unknown, string] => [
      what,
      () => read(plugin(name, configuration(group))),
      why,
    ]),
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
