import { type AdmissionPlugin, type AdmissionRequest, forbiddenByAdmission } from '@ashlar/admission';
import {
  type ApiObject,
  compareUtf8,
  type JsonValue,
  jsonEqual,
  StatusError,
  type Vocabulary,
} from '@ashlar/core';
import type { Pod, PodSpec } from '../core/pod-types.ts';
import type { Toleration } from '../pods/placement-types.ts';
import { isExtendedResource } from '../quota/extended-resource.ts';

type RestrictedSpec = PodSpec & {
  readonly affinity?: {
    readonly podAntiAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly { readonly topologyKey?: string }[];
    };
  };
};
interface ExternalService extends ApiObject {
  readonly spec?: { readonly externalIPs?: readonly string[] };
}

const isWrite = ({ subresource, operation }: AdmissionRequest): boolean =>
  subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
const isCore = ({ resource }: AdmissionRequest, plural: string): boolean =>
  resource.group === '' && resource.resource === plural;

/** Refuses pods that keep others off more than their node. */
export function createAntiAffinityLimit({ labelDomain }: Vocabulary): AdmissionPlugin {
  const hostname = `${labelDomain}/hostname`;
  return {
    name: 'LimitPodHardAntiAffinityTopology',
    handles: (request) => isWrite(request) && isCore(request, 'pods'),
    validate(request) {
      const { affinity } = ((request.object as Pod).spec ?? {}) as RestrictedSpec;
      const terms = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
      const wrong = terms.find(({ topologyKey }) => topologyKey !== hostname);
      if (!wrong) return;
      throw StatusError.forbidden(
        request.resource,
        request.object?.metadata.name ?? '',
        `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wrong.topologyKey ?? ''} but only key ${hostname} is allowed`,
      );
    },
  };
}

/** Has pods tolerate the taints of nodes that keep the resources which they request for such pods. */
export function createExtendedResourceToleration(vocabulary: Vocabulary): AdmissionPlugin {
  return {
    name: 'ExtendedResourceToleration',
    handles: (request) => isWrite(request) && isCore(request, 'pods'),
    admit({ object }) {
      const pod = object as Pod;
      const { containers, initContainers = [] } = pod.spec ?? {};
      const names = [...(containers ?? []), ...initContainers]
        .flatMap(({ resources }) => Object.keys(resources?.requests ?? {}))
        .filter((name) => isExtendedResource(name, vocabulary));
      let tolerations = (pod.spec?.tolerations ?? []) as readonly Toleration[];
      for (const key of [...new Set(names)].sort(compareUtf8))
        tolerations = withToleration(tolerations, { key, operator: 'Exists', effect: 'NoSchedule' });
      if (tolerations === pod.spec?.tolerations || names.length === 0) return undefined;
      return { ...pod, spec: { ...pod.spec, tolerations } } as ApiObject;
    },
  };
}

/** Replaces the toleration of the same taint, or adds one. */
function withToleration(tolerations: readonly Toleration[], added: Toleration): readonly Toleration[] {
  const isSameTaint = (each: Toleration): boolean =>
    each.key === added.key &&
    (each.effect ?? '') === added.effect &&
    (each.operator ?? '') === added.operator;
  const at = tolerations.findIndex((each) => isSameTaint(each) && (each.value ?? '') === '');
  if (at < 0) return [...tolerations, added];
  if (jsonEqual(tolerations[at] as JsonValue, added as JsonValue)) return tolerations;
  return tolerations.with(at, added);
}

/** Refuses services with external addresses, and further ones of those that have some. */
export function createExternalAddressDenial(): AdmissionPlugin {
  return {
    name: 'DenyServiceExternalIPs',
    handles: (request) => isWrite(request) && isCore(request, 'services'),
    validate(request) {
      const addresses = (request.object as ExternalService).spec?.externalIPs ?? [];
      const before = new Set((request.oldObject as ExternalService | undefined)?.spec?.externalIPs);
      if (addresses.every((address) => before.has(address))) return;
      throw forbiddenByAdmission(request, 'Use of external IPs is denied by admission control');
    },
  };
}
