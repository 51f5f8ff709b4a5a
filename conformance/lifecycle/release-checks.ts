import { readFileSync } from 'node:fs';
import { kubernetesVocabulary as vocabulary } from '@ashlar/core';
import {
  applyRuntimeConfig,
  type ConfiguredApis,
  definitionWarning,
  deprecationWarning,
  type GroupResources,
  marksOf,
  parseRelease,
  type RemovalOptions,
  readRuntimeConfig,
  releaseHistory,
  requireRelease,
  resourcesOfRelease,
  runtimeConfigErrors,
  typeState,
  versionsOfRelease,
  warningHeader,
  withoutRemoved,
} from '@ashlar/lifecycle';
import { type CaseRunner, type OracleCase, orError } from '../text-core/run-oracles.ts';

const OPTIONS: Readonly<Record<string, RemovalOptions>> = {
  KUBE_APISERVER_SERVE_REMOVED_APIS_FOR_ONE_RELEASE: { oneReleaseMore: true },
  KUBE_APISERVER_STRICT_REMOVED_API_HANDLING_IN_ALPHA: { strictInAlpha: true },
};

/** Versions of 1.32 with their defaults, and the withdrawn ones that its types still know. */
function apisOf132(defaults: Readonly<Record<string, boolean>>): ConfiguredApis {
  const others = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];
  const latest = requireRelease('1.32');
  const known = [...releaseHistory(vocabulary).marks]
    .filter(([, marks]) => marks.at(-1)?.releases.to.minor === latest.minor)
    .map(([type]) => type.slice(0, type.indexOf(' ')))
    .filter((groupVersion) => !others.some((group) => groupVersion.startsWith(`${group}/`)));
  return { defaults: new Map(Object.entries(defaults)), known, otherGroups: others };
}

function runtimeConfig({ flag }: OracleCase, { versions, asked }: OracleCase): Record<string, unknown> {
  const apis = apisOf132(versions);
  const given = readRuntimeConfig(flag);
  const errors = runtimeConfigErrors(given, apis);
  return {
    ...(errors.length > 0 && { errors }),
    ...orError(() => {
      const configured = applyRuntimeConfig(given, apis);
      const changed = [...configured.versions].filter(([name, on]) => (versions[name] ?? undefined) !== on);
      const isOn = (resource: string): boolean => {
        const slash = resource.lastIndexOf('/');
        return configured.isEnabled(slash < 0 ? 'v1' : resource.slice(0, slash), resource.slice(slash + 1));
      };
      return { changed: Object.fromEntries(changed), on: asked.filter(isOn) };
    }),
  };
}

/** From which release on a server of 1.32 treats a kind differently. */
function statesOf(groupVersion: string, kind: string): readonly (readonly [string, string])[] {
  const marks = marksOf({ groupVersion, kind }, vocabulary) ?? {};
  const states: [string, string][] = [];
  for (let minor = 15; minor <= 60; minor++) {
    const { deprecated, refused } = typeState(marks, { major: 1, minor, alpha: false });
    const state = `${deprecated ? 'deprecated' : 'current'}${refused ? ', refused' : ''}`;
    if (states.at(-1)?.[1] !== state) states.push([`1.${minor}`, state]);
  }
  return states;
}

/** The resources of groups about whose removal is asked; a table of the shared part. */
const groups: ReadonlyMap<string, GroupResources> = new Map(
  readFileSync(new URL('../oracles/lifecycle.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"suite":"removed-group"'))
    .map((line) => JSON.parse(line) as { readonly group: string; readonly resources: GroupResources })
    .map(({ group, resources }) => [group, resources]),
);

/** Facts about releases, and the pure rules over them. */
export const releaseChecks: Readonly<Record<string, CaseRunner>> = {
  'served-versions': {
    inputs: ['release'],
    answer: ({ release }) => ({ ...versionsOfRelease(requireRelease(release), vocabulary) }),
  },
  'served-discovery': {
    inputs: ['release', 'groupVersion'],
    answer: ({ release, groupVersion }) => ({
      resources: resourcesOfRelease(groupVersion, requireRelease(release), vocabulary),
    }),
  },
  'deprecation-warnings': {
    inputs: ['release', 'groupVersion', 'kind'],
    answer: ({ release, groupVersion, kind, ...expected }) => {
      const current = requireRelease(release);
      const marks = marksOf({ groupVersion, kind }, vocabulary, current) ?? {};
      const warning = deprecationWarning({ groupVersion, kind }, marks) ?? '';
      const isServed = resourcesOfRelease(groupVersion, current, vocabulary).some(
        (resource) => resource.kind === kind,
      );
      return {
        warning,
        header: warningHeader(warning),
        removedRelease: marks.removed ?? '',
        served: isServed,
        ...('deprecated' in expected && { deprecated: typeState(marks, current).deprecated }),
        ...('states' in expected && { states: statesOf(groupVersion, kind) }),
      };
    },
  },
  removed: {
    inputs: ['group', 'current', 'environment'],
    answer: ({ group, current, environment = '' }) => {
      const release = parseRelease(current);
      if (!release) throw new TypeError(`${current} is no release`);
      const left = withoutRemoved(group, groups.get(group) ?? {}, release, {
        vocabulary,
        ...OPTIONS[environment],
      });
      const names = Object.entries(left).map(([version, kinds]) => [version, Object.keys(kinds).sort()]);
      return { left: Object.fromEntries(names) };
    },
  },
  'runtime-config': {
    inputs: ['flag'],
    answer: (test, shared) => runtimeConfig(test, shared.get('runtime-config-defaults') as OracleCase),
  },
  'definition-warning': {
    inputs: ['group', 'kind', 'versions'],
    answer: ({ group, kind, versions }) => {
      const deprecated = (versions as readonly { name: string; deprecated: boolean }[]).filter(
        (version) => version.deprecated,
      );
      const warnings = deprecated.map(({ name }) => [
        name,
        definitionWarning({ group, kind, versions }, name),
      ]);
      return { warnings: Object.fromEntries(warnings) };
    },
  },
  'warning-header': {
    inputs: ['code', 'agent', 'text', 'textHex'],
    answer: ({ code, agent, text, textHex }) =>
      orError(() => ({ header: warningHeader(text ?? decoded(textHex), code, agent) })),
  },
};

/** Bytes that are no UTF-8 become what a text of this language cannot send either. */
function decoded(hex: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(hex, 'hex'));
  } catch {
    return '\ud800';
  }
}
