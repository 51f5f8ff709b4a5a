import { type JsonObject, Metrics } from '@ashlar/core';
import type { AuditEvent } from '@ashlar/http';
import {
  type ApiRelease,
  applyRuntimeConfig,
  checkApiHistory,
  findWithdrawn,
  knownFeatureGates,
  parseFeatureGates,
  type ReleasedVersion,
  readRuntimeConfig,
} from '@ashlar/lifecycle';
import { createApiServer, emulateRelease } from '@ashlar/server';
import { describe, expect, it } from 'vitest';
import { forEachVocabulary } from './withdrawn-rows.fixture.ts';

const size = { type: 'integer' } as const;
const version = (name: string, more: Partial<ReleasedVersion> = {}): ReleasedVersion => ({
  name,
  served: true,
  storage: false,
  schema: { type: 'object', properties: { spec: { type: 'object', properties: { size } } } },
  ...more,
});
const release = (name: string, ...versions: readonly ReleasedVersion[]): ApiRelease => ({
  name,
  definitions: [
    { group: 'example.com', names: { plural: 'widgets', kind: 'Widget' }, scope: 'Namespaced', versions },
  ],
});
const rules = (...history: readonly ApiRelease[]) =>
  checkApiHistory(history).map(({ rule, release: at, version: of }) => `${rule} ${at} ${of}`);
const stored = { storage: true };
/** What a version without a size keeps of it: an annotation. */
const keepingSize: Pick<ReleasedVersion, 'toStorage' | 'fromStorage'> = {
  fromStorage: ({ spec, metadata, ...object }) => ({
    ...object,
    ...(spec !== undefined && { spec: {} }),
    metadata: { ...metadata, annotations: { size: JSON.stringify(spec ?? null) } },
  }),
  toStorage({ metadata, ...object }) {
    const spec = JSON.parse(metadata.annotations?.size ?? 'null') as unknown;
    return { ...object, metadata, ...(spec !== null && { spec }) };
  },
};
const old = (replacement: string) => ({ deprecated: true, replacement });

describe('Tracks', () => {
  const enabled = (flag: string) => {
    const defaults = new Map(['a/v1', 'a/v12', 'a/v1beta1', 'a/v2alpha3'].map((name) => [name, true]));
    const { versions } = applyRuntimeConfig(readRuntimeConfig(flag), { defaults });
    return [...versions].filter(([, on]) => on).map(([name]) => name);
  };

  it('L061: versions without a suffix are stable', () => {
    expect(enabled('api/ga=false')).toEqual(['a/v1beta1', 'a/v2alpha3']);
  });

  it('L062: versions with the suffix beta are pre-releases', () => {
    expect(enabled('api/beta=false')).toEqual(['a/v1', 'a/v12', 'a/v2alpha3']);
  });

  it('L063: versions with the suffix alpha are experimental', () => {
    expect(enabled('api/alpha=false')).toEqual(['a/v1', 'a/v12', 'a/v1beta1']);
  });
});

describe('Rules for API elements', () => {
  it('L065: an element leaves only with its version', () => {
    const without = {
      schema: { type: 'object', properties: { spec: { type: 'object', properties: {} } } },
    } as const;
    for (const name of ['v1', 'v1beta1', 'v1alpha1'])
      expect(
        rules(release('1', version(name, stored)), release('2', version(name, { ...stored, ...without }))),
      ).toEqual([`1 2 ${name}`]);
    const both = [version('v1', stored), version('v2', { ...without, ...keepingSize })];
    expect(rules(release('1', ...both), release('2', ...both))).toEqual([]);
  });

  it('L066: generated objects lose nothing on the way to another version of a release and back', () => {
    const color = { type: 'string' } as const;
    const more = {
      schema: { type: 'object', properties: { spec: { type: 'object', properties: { size, color } } } },
    } as const;
    const both = [version('v1', stored), version('v2', more)];
    const findings = checkApiHistory([release('1', ...both)]);
    expect(findings.map(({ rule, version: of, message }) => [rule, of, message])).toEqual([
      ['2', 'v2', expect.stringMatching(/^spec\.color is lost in v1/)],
    ]);
    const same = [version('v1', { ...more, ...stored }), version('v2', more)];
    expect(rules(release('1', ...same))).toEqual([]);
    const less = version('v2', { schema: { type: 'object', properties: {} } });
    expect(rules(release('1', version('v1', stored), less))).toEqual(['2 1 v1']);
    expect(rules(release('1', version('v1', stored), { ...less, ...keepingSize }))).toEqual([]);
  });

  it('L067: a version is not deprecated in favor of a less stable one', () => {
    const favor = (name: string, replacement: string) =>
      rules(release('1', version(name, { ...stored, ...old(replacement) }), version(replacement)));
    expect(favor('v1', 'v2beta1')).toEqual(['3 1 v1']);
    expect(favor('v1beta1', 'v2alpha1')).toEqual(['3 1 v1beta1']);
    for (const [name, replacement] of [
      ['v1beta1', 'v1'],
      ['v1alpha1', 'v1beta1'],
      ['v1alpha1', 'v1alpha2'],
      ['v1beta1', 'v1beta2'],
    ] as const)
      expect(favor(name, replacement)).toEqual([]);
  });

  it('L068: stable versions stay, beta versions for three releases after their deprecation, alpha versions as long as they like', () => {
    const both = (more = {}) => [version('v2', stored), version('v1beta1', more)];
    const deprecated = (name: string) => release(name, ...both(old('v2')));
    const gone = (name: string) => release(name, version('v2', stored));
    expect(rules(deprecated('1'), deprecated('2'), gone('3'))).toEqual(['4a 3 v1beta1']);
    expect(rules(deprecated('1'), deprecated('2'), deprecated('3'), gone('4'))).toEqual([]);
    expect(rules(release('1', version('v2', stored), version('v1')), gone('2'))).toEqual(['4a 2 v1']);
    expect(rules(release('1', version('v2', stored), version('v1alpha1')), gone('2'))).toEqual([]);
  });

  it('L069: a version is preferred and stored only after a release that served it and the one before', () => {
    const first = release('1', version('v1', stored));
    expect(rules(first, release('2', version('v1'), version('v2', stored)))).toEqual(['4b 2 v2', '4b 2 v2']);
    const served = release('2', version('v1', stored), version('v2alpha1'));
    expect(rules(first, served, release('3', version('v1'), version('v2alpha1', stored)))).toEqual([]);
  });

  it('L089: the sample of the schedule breaks no rule of removal', () => {
    const v1 = version('v1', stored);
    const names = [
      [version('v1alpha1', stored)],
      [version('v1alpha2', stored), version('v1alpha1')],
      [version('v1beta1', stored), version('v1alpha2')],
      [version('v1beta2', stored), version('v1beta1', old('v1beta2'))],
      [version('v1beta2', stored), version('v1beta1', old('v1beta2'))],
      [v1, version('v1beta2', old('v1')), version('v1beta1', old('v1'))],
      [v1, version('v1beta2', old('v1'))],
      [v1, version('v1beta2', old('v1'))],
      [v1, version('v2alpha1')],
    ];
    const findings = rules(...names.map((versions, index) => release(`X+${index}`, ...versions)));
    expect(findings.filter((finding) => finding.startsWith('4a') || finding.startsWith('3'))).toEqual([]);
  });
});

describe('Feature gates', () => {
  const gates = Object.entries(knownFeatureGates);

  it('L077: a deprecated gate is answered with a warning', () => {
    for (const [name] of gates.filter(([, { stage }]) => stage === 'stable' || stage === 'deprecated'))
      expect(parseFeatureGates(`${name}=true`).warnings).toEqual([
        `Setting GA feature gate ${name}=true. It will be removed in a future release.`,
        `Feature gate ${name} has no effect: its feature is always on.`,
      ]);
  });

  it('L080: a gate without effect cannot be switched off', () => {
    for (const [name, { locked }] of gates)
      if (locked)
        expect(() => parseFeatureGates(`${name}=false`)).toThrow(
          `cannot set feature gate ${name} to false, feature is locked to true`,
        );
  });

  it('L081: alpha features are off by default and can be switched on', () => {
    const alpha = gates.filter(([, { stage }]) => stage === 'alpha').map(([name]) => name);
    expect(alpha).toContain('CBORServingAndStorage');
    for (const name of alpha) expect(knownFeatureGates[name]?.default).toBe(false);
    expect(parseFeatureGates('CBORServingAndStorage=true').isEnabled('CBORServingAndStorage')).toBe(true);
  });

  it('L082: beta features are on by default and can be switched off', () => {
    expect(parseFeatureGates('').isEnabled('APIResponseCompression')).toBe(true);
    expect(parseFeatureGates('APIResponseCompression=false').isEnabled('APIResponseCompression')).toBe(false);
  });

  it('L083: gates of stable features are deprecated and have no effect', () => {
    for (const [, gate] of gates)
      if (gate.stage === 'stable') expect(gate).toEqual({ stage: 'stable', default: true, locked: true });
  });

  it('L084: gates that are gone are not accepted', () => {
    expect(() => parseFeatureGates('CustomResourceValidation=true')).toThrow(
      'unrecognized feature gate: CustomResourceValidation',
    );
  });
});

describe('Deprecated metrics', () => {
  it('L085: they say so in their description and when they are registered, and are hidden three releases later', () => {
    const textOf = (current: string, showHidden = false) => {
      const warnings: string[] = [];
      const metrics = new Metrics({ release: current, showHidden, warn: (text) => void warnings.push(text) });
      metrics.counter({ name: 'old_total', help: 'Old.', deprecated: '1.30' }).add([]);
      return [metrics.text().split('\n')[0], warnings.length];
    };
    const shown = ['# HELP old_total (Deprecated from 1.30) Old.', 1];
    expect(textOf('1.30')).toEqual(shown);
    expect(textOf('1.32')).toEqual(shown);
    expect(textOf('1.33')).toEqual(['', 0]);
    expect(textOf('1.33', true)).toEqual(shown);
  });
});

forEachVocabulary('Expressions, deprecation and withdrawn versions', ({ vocabulary, ask, named }) => {
  /** A definition whose rule is stored under a keyword; the name of the group differs by it. */
  const definition = (keyword: string, rule: string): JsonObject => {
    const group = `${keyword}.example`.toLowerCase();
    const spec = { type: 'object', properties: { size: { type: 'integer' } }, [keyword]: [{ rule }] };
    return {
      metadata: { name: `things.${group}` },
      spec: {
        ...{ group, scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' } },
        versions: [
          {
            ...{ name: 'v1', served: true, storage: true },
            schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          },
        ],
      },
    };
  };

  it('L001: where identifiers name a vendor, it is that of the vocabulary', async () => {
    const other = vocabulary.name === 'orch' ? 'x-kubernetes-validations' : 'x-orch-validations';
    const define = (keyword: string) =>
      ask(
        '1.32',
        `/apis/${named('apiextensions./v1')}/customresourcedefinitions`,
        definition(keyword, 'self.size >'),
      );
    const refused = await define(`${vocabulary.extensionPrefix}validations`);
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringContaining('compilation failed'),
    ]);
    expect((await define(other)).status).toBe(201);
    const lease = { apiVersion: named('coordination./v1beta1'), kind: 'Lease', metadata: { name: 'a' } };
    const [finding] = findWithdrawn([lease], { target: '1.22' });
    expect(finding?.replacement).toEqual({ apiVersion: named('coordination./v1'), since: '1.14' });
    expect(named('coordination./v1')).toBe(`coordination.${vocabulary.groupDomain}/v1`);
  });
});

forEachVocabulary('Requests for deprecated versions', ({ vocabulary, ask, named }) => {
  const path = `/apis/${named('coordination./v1beta1')}/leases`;

  it('L064: a release serves any number of groups, and of versions of each', async () => {
    const { groups } = (await ask('1.21', '/apis')).body as unknown as {
      groups: { versions: { version: string }[] }[];
    };
    const counts = groups.map(({ versions }) => versions.length);
    expect(groups.length).toBeGreaterThan(10);
    expect(new Set(counts)).toEqual(new Set([1, 2, 3, ...counts.filter((count) => count > 3)]));
  });

  it('L066: objects go round through the versions of a release and lose nothing', async () => {
    const object = {
      metadata: { name: 'around' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'a' },
        maxReplicas: 3,
        minReplicas: 2,
        metrics: [
          {
            type: 'Pods',
            pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '5' } },
          },
        ],
        behavior: {
          scaleDown: {
            stabilizationWindowSeconds: 60,
            policies: [{ type: 'Pods', value: 1, periodSeconds: 15 }],
          },
        },
      },
    };
    const at = (of: string) => `/apis/autoscaling/${of}/namespaces/default/horizontalpodautoscalers`;
    const made = await ask('1.24', at('v2'), object);
    expect(made.status).toBe(201);
    for (const of of ['v1', 'v2beta1', 'v2beta2']) {
      const read = await ask('1.24', `${at(of)}/around`);
      expect((await ask('1.24', `${at(of)}/around`, read.body, 'PUT')).status).toBe(200);
      expect((await ask('1.24', `${at('v2')}/around`)).body.spec).toEqual(made.body.spec);
    }
  });

  it('L086: they are answered with a Warning header', async () => {
    const { status, headers } = await ask('1.21', path);
    expect([status, headers.get('warning')]).toEqual([
      200,
      `299 - "${named('coordination./v1beta1')} Lease is deprecated in v1.19+, unavailable in v1.22+; use ${named('coordination./v1')} Lease"`,
    ]);
  });

  it('L087: their audit event is annotated', async () => {
    const events: AuditEvent[] = [];
    await using server = createApiServer({
      vocabulary,
      controllers: false,
      emulation: emulateRelease('1.21'),
      audit: (event) => void events.push(event),
    });
    await server.ready;
    for (const at of [path, path.replace('v1beta1', 'v1')])
      await server.fetch(new Request(`http://server${at}`));
    const told = (at: string) =>
      events
        .filter(({ requestUri }) => requestUri === at)
        .map(({ verb, code, annotations }) => [verb, code, ...annotations]);
    expect(told(path)).toEqual([
      [
        'list',
        200,
        [`${vocabulary.groupDomain}/deprecated`, 'true'],
        [`${vocabulary.groupDomain}/removed-release`, '1.22'],
      ],
    ]);
    expect(told(path.replace('v1beta1', 'v1'))).toEqual([['list', 200]]);
  });

  it('L088: a gauge tells them with the release that removes the version', async () => {
    await ask('1.21', path);
    const { text } = await ask('1.21', '/metrics');
    const [group] = named('coordination./v1beta1').split('/');
    expect(text.split('\n')).toContain(
      `apiserver_requested_deprecated_apis{group="${group}",version="v1beta1",resource="leases",subresource="",removed_release="1.22"} 1`,
    );
    expect(text).not.toContain('apiserver_requested_deprecated_apis{group="",');
  });

  it('L121: a removal is simulated by a runtime configuration', async () => {
    const runtimeConfig = new Map([[named('coordination./v1'), false]]);
    await using server = createApiServer({ vocabulary, runtimeConfig, controllers: false });
    await server.ready;
    const get = async (of: string) =>
      (await server.fetch(new Request(`http://server/apis/${named(of)}`))).status;
    expect([await get('coordination./v1'), await get('rbac.authorization./v1')]).toEqual([404, 200]);
  });
});
