import {
  hasMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  ownMember,
  type Vocabulary,
} from '@ashlar/core';
import type { DefaultRule, DefaultRules } from '../defaults/default-rules.ts';
import type { Container, ContainerPort } from '../pods/container-types.ts';
import { imageTag } from './image-name.ts';
import type { PodSpec } from './pod-types.ts';

/** Defaults of pod specs that depend on other fields, at any path. */
export const podPartRules = (vocabulary: Vocabulary): DefaultRules => ({
  'api.core.v1.PodTemplateSpec': withoutInitAnnotations(vocabulary),
  'api.core.v1.PodSpec': (spec) => withAlias(spec, 'serviceAccountName', 'serviceAccount'),
  'api.core.v1.Volume': (volume) => (Object.keys(volume).length > 1 ? volume : { ...volume, emptyDir: {} }),
  'api.core.v1.Container': withPullPolicy,
  'api.core.v1.EphemeralContainer': withPullPolicy,
  'api.core.v1.PodStatus': (status) => withFirst(status, 'podIP', 'podIPs', (ip) => ({ ip })),
});

/** Defaults of pods that templates do not have. */
export function podRules(vocabulary: Vocabulary): DefaultRules {
  const withoutAnnotations = withoutInitAnnotations(vocabulary);
  return {
    ...podPartRules(vocabulary),
    'api.core.v1.Pod': (pod) => ({
      ...withoutAnnotations(pod),
      spec: withGracePeriod(completeSpec((pod.spec ?? {}) as JsonObject)),
    }),
  };
}

/** Drops the annotations that had init containers and their statuses before there were fields. */
function withoutInitAnnotations({ labelDomain }: Vocabulary): DefaultRule {
  const names = ['alpha', 'beta'].flatMap((stage) =>
    ['init-containers', 'init-container-statuses'].map((name) => `pod.${stage}.${labelDomain}/${name}`),
  );
  return (object) => {
    const { annotations, ...metadata } = (object.metadata ?? {}) as JsonObject;
    if (!isJsonObject(annotations) || !names.some((name) => hasMember(annotations, name))) return object;
    const others = Object.entries(annotations).filter(([name]) => !names.includes(name));
    const retained = others.length > 0 ? { annotations: objectOf(others) } : {};
    return { ...object, metadata: { ...metadata, ...retained } } as JsonObject;
  };
}

/** Pods have no negative time to end in; their templates may still say one. */
function withGracePeriod(spec: JsonObject): JsonObject {
  const { terminationGracePeriodSeconds: seconds } = spec;
  return typeof seconds === 'number' && seconds < 0 ? { ...spec, terminationGracePeriodSeconds: 1 } : spec;
}

/** Old and new name of one field: the new one takes precedence, and both are printed. */
function withAlias(object: JsonObject, name: string, alias: string): JsonObject {
  const value = object[name] || object[alias];
  if (!value || (object[name] === value && object[alias] === value)) return object;
  return { ...object, [name]: value, [alias]: value };
}

/** The first item of a list with a field of its own, kept equal: the field takes precedence. */
export function withFirst(
  object: JsonObject,
  name: string,
  listName: string,
  toItem: (text: string) => JsonValue,
): JsonObject {
  const single = object[name];
  const list = object[listName] as readonly JsonValue[] | undefined;
  const first = list?.[0];
  if (!first)
    return typeof single === 'string' && single ? { ...object, [listName]: [toItem(single)] } : object;
  const text = typeof first === 'string' ? first : (first as JsonObject).ip;
  if (text === single || text === undefined) return object;
  return single ? { ...object, [listName]: [toItem(single as string)] } : { ...object, [name]: text };
}

function withPullPolicy(container: JsonObject): JsonObject {
  if (container.imagePullPolicy) return container;
  const isLatest = imageTag((container as Container).image ?? '') === 'latest';
  return { ...container, imagePullPolicy: isLatest ? 'Always' : 'IfNotPresent' };
}

const completeSpec: DefaultRule = (spec) => {
  const { containers, initContainers, hostNetwork, enableServiceLinks } = spec as PodSpec & JsonObject;
  const complete = (container: Container): Container =>
    withHostPorts(withRequests(container), hostNetwork === true);
  return {
    ...spec,
    ...(initContainers && { initContainers: initContainers.map(complete) }),
    ...(containers && { containers: containers.map(complete) }),
    enableServiceLinks: enableServiceLinks ?? true,
  } as unknown as JsonObject;
};

/** Requests default to limits. */
function withRequests(container: Container): Container {
  const { limits, requests } = container.resources ?? {};
  if (!limits || Object.keys(limits).every((name) => hasMember(requests ?? {}, name))) return container;
  // as objects are not changed, both may be the same
  if (!requests) return { ...container, resources: { ...container.resources, requests: limits } };
  const names = [...new Set([...Object.keys(limits), ...Object.keys(requests)])].sort();
  const promised = objectOf(
    names.map((name) => [name, ownMember(requests, name) ?? ownMember(limits, name) ?? '0'] as const),
  );
  return { ...container, resources: { ...container.resources, requests: promised } };
}

/** On the host network a container's ports are the host's. */
export function withHostPorts(container: Container, onHost: boolean): Container {
  if (!onHost || !container.ports?.some(({ hostPort }) => !hostPort)) return container;
  const exposed = (port: ContainerPort): ContainerPort => {
    const { name, hostPort, ...rest } = port;
    const host = hostPort || port.containerPort;
    return { ...(name !== undefined && { name }), ...(host && { hostPort: host }), ...rest };
  };
  return { ...container, ports: container.ports.map(exposed) };
}
