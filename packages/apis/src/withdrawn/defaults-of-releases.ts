import { type ApiObject, isJsonObject, type JsonObject, type JsonValue, ownMember } from '@ashlar/core';
import { compareReleases, type Release, requireRelease } from '@ashlar/lifecycle';
import { withHostPorts } from '../workloads/core/pod-defaults.ts';
import type { Container } from '../workloads/pods/container-types.ts';

/** A field that releases before some release do not set. */
interface AddedDefault {
  readonly kind: string;
  /** Names of fields; `[]` stands for each item of a list. */
  readonly path: readonly string[];
  /** The release since which it is set. */
  readonly since: Release;
  /** What earlier releases print instead; nothing if absent. */
  readonly before?: JsonValue;
}

const addedDefault = (kind: string, path: string, since: string, before?: JsonValue): AddedDefault => ({
  kind,
  path: path.split('.'),
  since: requireRelease(since),
  ...(before !== undefined && { before }),
});

const ADDED_DEFAULTS: readonly AddedDefault[] = [
  addedDefault('CSIDriver', 'spec.seLinuxMount', '1.27'),
  addedDefault('DaemonSet', 'spec.updateStrategy.rollingUpdate.maxSurge', '1.22'),
  addedDefault('IngressClass', 'spec.parameters.scope', '1.22', null),
  addedDefault('PriorityLevelConfiguration', 'spec.limited.lendablePercent', '1.26'),
  addedDefault('StatefulSet', 'spec.persistentVolumeClaimRetentionPolicy', '1.27'),
  addedDefault('StatefulSet', 'spec.volumeClaimTemplates.[].apiVersion', '1.17'),
  addedDefault('StatefulSet', 'spec.volumeClaimTemplates.[].kind', '1.17'),
  addedDefault('StatefulSet', 'status.availableReplicas', '1.22'),
];

/** Where kinds have templates of pods. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  Deployment: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
};

/** The release since which metrics of containers are enabled. */
const CONTAINER_METRICS = requireRelease('1.27');

/** The release since which templates on the host network keep their ports as they are. */
const WITHOUT_HOST_PORTS = requireRelease('1.28');

/**
 * Returns an object with the defaults of a release: without those that addedDefault ones have added, and with those that they have dropped.
 * @param manifest the manifest: what it sets itself stays
 */
export function asOfRelease(
  object: JsonObject,
  manifest: JsonObject,
  kind: string,
  release: Release,
): JsonObject {
  const emulated = withoutUnknownFields(withoutAddedDefaults(object, manifest, kind, release), release);
  const template = ownMember(TEMPLATES, kind);
  if (!template || compareReleases(release, WITHOUT_HOST_PORTS) >= 0) return emulated;
  return changedAt(emulated, template, onHostNetwork) as JsonObject;
}

/** Where v2beta1 has metrics of containers, its servers lost the name of the container. */
function withoutUnknownFields(object: JsonObject, release: Release): JsonObject {
  if (object.apiVersion !== 'autoscaling/v2beta1' || compareReleases(release, CONTAINER_METRICS) >= 0)
    return object;
  const nameless = (metric: JsonValue): JsonValue =>
    isJsonObject(metric) && isJsonObject(metric.containerResource ?? null)
      ? { ...metric, containerResource: { ...(metric.containerResource as JsonObject), container: '' } }
      : metric;
  return changedAt(object, ['spec'], (spec) =>
    Array.isArray(spec.metrics) ? { ...spec, metrics: spec.metrics.map(nameless) } : spec,
  ) as JsonObject;
}

function onHostNetwork(spec: JsonObject): JsonObject {
  if (spec.hostNetwork !== true) return spec;
  const changed = (list: JsonValue | undefined): JsonValue | undefined =>
    Array.isArray(list)
      ? (list.map((container) => withHostPorts(container as Container, true)) as unknown as JsonValue)
      : list;
  return {
    ...spec,
    ...(spec.initContainers !== undefined && { initContainers: changed(spec.initContainers) }),
    ...(spec.containers !== undefined && { containers: changed(spec.containers) }),
  };
}

function changedAt(
  value: JsonValue,
  [name, ...rest]: readonly string[],
  change: (object: JsonObject) => JsonObject,
): JsonValue {
  if (!isJsonObject(value)) return value;
  if (name === undefined) return change(value);
  const part = value[name];
  return part === undefined ? value : { ...value, [name]: changedAt(part, rest, change) };
}

function withoutAddedDefaults(
  object: JsonObject,
  manifest: JsonObject,
  kind: string,
  release: Release,
): JsonObject {
  return ADDED_DEFAULTS.filter(
    (entry) => entry.kind === kind && compareReleases(release, entry.since) < 0,
  ).reduce(
    (changed, { path, before }) => withoutField(changed, manifest, path, before) as JsonObject,
    object,
  );
}

function withoutField(
  value: JsonValue,
  manifestValue: JsonValue | undefined,
  [name = '', ...rest]: readonly string[],
  before: JsonValue | undefined,
): JsonValue {
  if (name === '[]') {
    if (!Array.isArray(value)) return value;
    const items = Array.isArray(manifestValue) ? manifestValue : [];
    return value.map((item, index) => withoutField(item, items[index], rest, before));
  }
  if (!isJsonObject(value) || value[name] === undefined) return value;
  const mine = isJsonObject(manifestValue) ? manifestValue[name] : undefined;
  if (rest.length > 0) return { ...value, [name]: withoutField(value[name], mine, rest, before) };
  if (mine !== undefined && mine !== null) return value;
  const { [name]: _, ...others } = value;
  return before === undefined ? others : { ...others, [name]: before };
}

/** Returns an object as a server of a release stores it: without the fields of features that are disabled there. */
export function withoutDisabledFields(object: ApiObject, kind: string, release: Release): ApiObject {
  if (kind !== 'HorizontalPodAutoscaler' || compareReleases(release, CONTAINER_METRICS) >= 0) return object;
  const { spec } = object as ApiObject & { readonly spec?: JsonObject };
  if (!Array.isArray(spec?.metrics)) return object;
  const metrics = spec.metrics.map(({ containerResource: _, ...metric }: JsonObject) => metric);
  return { ...object, spec: { ...spec, metrics } };
}
