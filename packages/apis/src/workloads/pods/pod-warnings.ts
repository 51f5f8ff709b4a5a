import { dns1123LabelErrors, goQuote, type ObjectMeta, type Vocabulary } from '@ashlar/core';
import { firstWarnings } from '../../types/first-warnings.ts';
import { claimWarnings } from '../core/claim-warnings.ts';
import type { PodSpec, PodTemplateSpec } from '../core/pod-types.ts';
import type { Container } from './container-types.ts';
import { BYTES, fractionWarning, fractionWarnings } from './fraction-warnings.ts';
import { nodeLabelWarning, nodeSelectorTermWarnings } from './node-label-warnings.ts';
import { containersOf } from './operating-system.ts';
import type { PodAffinityTerm } from './placement-types.ts';
import { portWarnings } from './port-warnings.ts';
import { containerSeccompAnnotation, seccompAnnotation } from './seccomp-annotations.ts';
import { overlapWarnings } from './volumes/overlapping-paths.ts';
import type { Volume } from './volumes/volume-types.ts';

/** The part of a template or pod that warnings are about. */
type Warned = Pick<PodTemplateSpec, 'metadata' | 'spec'>;

/**
 * Texts of Warning headers about a pod or a template of pods: what is deprecated, does nothing, or is probably
 * a mistake. @param path the template's path with a dot at its end; empty for pods
 */
export function podWarnings(
  { metadata = {}, spec = {} }: Warned,
  vocabulary: Vocabulary,
  path = '',
): readonly string[] {
  const at = `${path}spec`;
  const { annotations = {} } = metadata;
  return [
    ...placementWarnings(spec, vocabulary, at),
    ...annotationWarnings(annotations, vocabulary, `${path}metadata.annotations`),
    ...firstWarnings((spec.volumes ?? []).entries(), ([index, volume]) =>
      volumeWarnings(volume, `${at}.volumes[${index}]`),
    ),
    ...overlapWarnings(spec.volumes ?? []),
    ...repeatWarnings(spec, at),
    ...fractionWarnings(spec.overhead, `${at}.overhead`),
    ...seccompWarnings(metadata, spec, vocabulary, path),
    ...firstWarnings(containersOf(spec, at), ([container, place]) => [
      ...profileWarnings(container, metadata, spec, { vocabulary, path }),
      ...containerWarnings(container, place),
    ]),
    ...portWarnings(spec, at),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [
          `${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...affinityWarnings(spec, `${at}.affinity`),
  ];
}

/** The same of a template whose owner is new, or whose generation changed. */
export function templateWarnings(
  template: PodTemplateSpec | undefined,
  vocabulary: Vocabulary,
  { path, metadata, stored }: { path: string; metadata: ObjectMeta; stored: ObjectMeta | undefined },
): readonly string[] {
  const isNew = stored === undefined || stored.generation !== metadata.generation;
  return isNew ? podWarnings(template ?? {}, vocabulary, `${path}.`) : [];
}

/** Names of pods are host names. @param use what else the name is used for */
export function hostnameWarnings({ name = '' }: ObjectMeta, use: string): readonly string[] {
  const why = dns1123LabelErrors(name);
  if (why.length === 0) return [];
  return [
    `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${why.join(' ')}]`,
  ];
}

function placementWarnings(spec: PodSpec, vocabulary: Vocabulary, at: string): readonly string[] {
  const { nodeSelector = {}, affinity, topologySpreadConstraints = [] } = spec;
  const ofNodes = affinity?.nodeAffinity;
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  const path = `${at}.affinity.nodeAffinity`;
  return [
    ...firstWarnings(Object.keys(nodeSelector), (key) => {
      const why = nodeLabelWarning(key, vocabulary);
      return why === undefined ? [] : [`${at}.nodeSelector[${key}]: ${why}`];
    }),
    ...firstWarnings((ofNodes?.[required]?.nodeSelectorTerms ?? []).entries(), ([index, term]) =>
      nodeSelectorTermWarnings(term, vocabulary, `${path}.${required}.nodeSelectorTerms[${index}]`),
    ),
    ...firstWarnings((ofNodes?.[preferred] ?? []).entries(), ([index, { preference = {} }]) =>
      nodeSelectorTermWarnings(preference, vocabulary, `${path}.${preferred}[${index}].preference`),
    ),
    ...firstWarnings(topologySpreadConstraints.entries(), ([index, { topologyKey = '', labelSelector }]) => {
      const place = `${at}.topologySpreadConstraints[${index}]`;
      const why = nodeLabelWarning(topologyKey, vocabulary);
      return [
        ...(why === undefined ? [] : [`${place}.topologyKey: ${topologyKey} is ${why}`]),
        ...(labelSelector ? [] : [nothingSelected(place)]),
      ];
    }),
  ];
}

const nothingSelected = (path: string): string =>
  `${path}.labelSelector: a null labelSelector results in matching no pod`;

function annotationWarnings(
  annotations: NonNullable<ObjectMeta['annotations']>,
  { labelDomain }: Vocabulary,
  path: string,
): readonly string[] {
  const useSysctls = 'non-functional in v1.11+; use the "sysctls" field instead';
  const deprecated = {
    [`scheduler.alpha.${labelDomain}/critical-pod`]:
      'non-functional in v1.16+; use the "priorityClassName" field instead',
    [`security.alpha.${labelDomain}/sysctls`]: useSysctls,
    [`security.alpha.${labelDomain}/unsafe-sysctls`]: useSysctls,
  };
  return Object.entries(deprecated).flatMap(([key, why]) =>
    annotations[key] === undefined ? [] : [`${path}[${key}]: ${why}`],
  );
}

/** Sources of volumes that are going away, or no longer do anything. */
const DEPRECATED: readonly (readonly [source: string, why: string, shown?: string])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['ephemeral', ''],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

function volumeWarnings(volume: Volume, path: string): readonly string[] {
  let warnings = NONE;
  for (const [source, why, shown = source] of DEPRECATED) {
    if (!volume[source]) continue;
    if (source !== 'ephemeral') warnings = [...warnings, `${path}.${shown}: ${why}`];
    const template = (volume.ephemeral as { volumeClaimTemplate?: { spec?: object } } | undefined)
      ?.volumeClaimTemplate;
    if (source === 'ephemeral' && template)
      warnings = [
        ...warnings,
        ...claimWarnings(template.spec ?? {}, `${path}.ephemeral.volumeClaimTemplate.spec`),
      ];
  }
  return warnings;
}

const NONE: readonly string[] = [];

function repeatWarnings({ hostAliases = [], imagePullSecrets = [] }: PodSpec, at: string): readonly string[] {
  const [addresses, names] = [new Set<string>(), new Set<string>()];
  const isRepeated = (seen: Set<string>, text: string): boolean => {
    const before = seen.has(text);
    seen.add(text);
    return before;
  };
  return [
    ...firstWarnings(hostAliases.entries(), ([index, { ip = '' }]) =>
      isRepeated(addresses, ip) ? [`${at}.hostAliases[${index}].ip: duplicate ip ${goQuote(ip)}`] : [],
    ),
    ...firstWarnings(imagePullSecrets.entries(), ([index, { name = '' }]) =>
      isRepeated(names, name)
        ? [`${at}.imagePullSecrets[${index}].name: duplicate name ${goQuote(name)}`]
        : [],
    ),
    ...firstWarnings(imagePullSecrets.entries(), ([index, { name }]) =>
      name ? [] : [`${at}.imagePullSecrets[${index}].name: invalid empty name ""`],
    ),
  ];
}

function seccompWarnings(
  { annotations = {} }: ObjectMeta,
  { securityContext }: PodSpec,
  vocabulary: Vocabulary,
  path: string,
): readonly string[] {
  const key = seccompAnnotation(vocabulary);
  if (securityContext?.seccompProfile || annotations[key] === undefined) return [];
  return [useSeccomp(path, key)];
}

const useSeccomp = (path: string, key: string): string =>
  `${path}metadata.annotations[${key}]: non-functional in v1.27+; use the "seccompProfile" field instead`;

/** Annotations in place of the profiles of a container; those of pods are copied to its fields instead. */
function profileWarnings(
  { name = '', securityContext }: Container,
  { annotations }: ObjectMeta,
  spec: PodSpec,
  { vocabulary, path }: { vocabulary: Vocabulary; path: string },
): readonly string[] {
  if (!annotations) return NONE;
  const seccomp = containerSeccompAnnotation(name, vocabulary);
  const appArmor = `container.apparmor.security.beta.${vocabulary.labelDomain}/${name}`;
  const hasAppArmor = spec.securityContext?.appArmorProfile ?? securityContext?.appArmorProfile;
  return [
    ...(!securityContext?.seccompProfile && annotations[seccomp] !== undefined
      ? [useSeccomp(path, seccomp)]
      : []),
    ...(path !== '' && !hasAppArmor && annotations[appArmor] !== undefined
      ? [
          `${path}metadata.annotations[${appArmor}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
        ]
      : []),
  ];
}

/** Most containers have neither, and a pod may have thousands. */
function containerWarnings({ resources, env }: Container, path: string): readonly string[] {
  if (!resources && !env) return NONE;
  return [...amountWarnings(resources, `${path}.resources`), ...variableWarnings(env, `${path}.env`)];
}

function amountWarnings(resources: Container['resources'], path: string): readonly string[] {
  if (!resources?.limits && !resources?.requests) return NONE;
  return BYTES.flatMap((name) =>
    (['limits', 'requests'] as const).flatMap((list) =>
      fractionWarning(resources[list]?.[name], `${path}.${list}[${name}]`),
    ),
  );
}

function variableWarnings(env: Container['env'], path: string): readonly string[] {
  if (!env) return NONE;
  const seen = new Set<string>();
  return firstWarnings(env.entries(), ([index, { name = '', value = '', valueFrom }]) => {
    const isRepeated = seen.has(name);
    seen.add(name);
    if (!isRepeated) return NONE;
    const reference = `$(${name})`;
    const isAppended = !valueFrom && value !== reference && value.includes(reference);
    if (isAppended) return NONE;
    return [
      `${path}[${index}]: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`,
    ];
  });
}

function affinityWarnings({ affinity }: PodSpec, path: string): readonly string[] {
  const unselected = (term: PodAffinityTerm | undefined, at: string): readonly string[] =>
    term?.labelSelector ? [] : [nothingSelected(at)];
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((name) => {
    const required = 'requiredDuringSchedulingIgnoredDuringExecution';
    const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
    return [
      ...firstWarnings((affinity?.[name]?.[required] ?? []).entries(), ([index, term]) =>
        unselected(term, `${path}.${name}.${required}[${index}]`),
      ),
      ...firstWarnings((affinity?.[name]?.[preferred] ?? []).entries(), ([index, { podAffinityTerm }]) =>
        unselected(podAffinityTerm, `${path}.${name}.${preferred}[${index}].podAffinityTerm`),
      ),
    ];
  });
}
