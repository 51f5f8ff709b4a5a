import type { AdmissionPlugin, AdmissionRequest } from '@ashlar/admission';
import {
  type ApiObject,
  jsonSyntaxError,
  type MaybePromise,
  StatusError,
  type Vocabulary,
} from '@ashlar/core';
import { namespaceTolerations } from '../annotated-tolerations.ts';
import { requireReadable } from '../annotated-value.ts';
import { qosClassOf } from '../core/pod-qos.ts';
import type { Pod } from '../core/pod-types.ts';
import type { Toleration } from '../pods/placement-types.ts';
import { TolerationIndex } from './toleration-index.ts';
import { mergeTolerations } from './tolerations.ts';

export interface PodTolerationRestrictionOptions {
  readonly vocabulary: Vocabulary;
  /** For pods of namespaces without an annotation. */
  readonly defaults?: readonly Toleration[];
  /** Allowed tolerations in namespaces without an annotation; all if it is empty. */
  readonly allowed?: readonly Toleration[];
  /** Returns the namespace of that name; a cached state is sufficient. */
  namespace(name: string): MaybePromise<ApiObject | undefined>;
}

/** Gives pods the tolerations of their namespace, and refuses those that it does not allow. */
export function createPodTolerationRestriction(options: PodTolerationRestrictionOptions): AdmissionPlugin {
  const { labelDomain } = options.vocabulary;
  const pressure = { key: `node.${labelDomain}/memory-pressure`, operator: 'Exists', effect: 'NoSchedule' };
  const tolerationsOf = async (
    request: AdmissionRequest,
    name: string,
  ): Promise<readonly Toleration[] | undefined> => {
    const namespace = await options.namespace(request.namespace);
    if (!namespace) throw StatusError.notFound({ group: '', resource: 'namespaces' }, request.namespace);
    const annotation = `scheduler.alpha.${labelDomain}/${name}`;
    return parseTolerations(namespace.metadata.annotations?.[annotation], annotation);
  };
  // refused before the plugins behind it see the pod, and again after other plugins have changed it
  const requireAllowed = async (request: AdmissionRequest, pod: Pod): Promise<void> => {
    const tolerations = (pod.spec?.tolerations ?? []) as readonly Toleration[];
    if (tolerations.length === 0) return;
    const own = await tolerationsOf(request, 'tolerationsWhitelist');
    const allowed = own ?? options.allowed ?? [];
    if (allowed.length === 0) return;
    const index = new TolerationIndex(allowed);
    if (tolerations.every((each) => index.includes(each))) return;
    const message = `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${own ? 'namespace' : 'cluster'} whitelist`;
    throw new StatusError({ code: 500, reason: '', message });
  };
  return {
    name: 'PodTolerationRestriction',
    handles: ({ resource, subresource, operation }) =>
      (operation === 'CREATE' || operation === 'UPDATE') &&
      resource.group === '' &&
      resource.resource === 'pods' &&
      subresource === '',
    async admit(request) {
      const pod = request.object as Pod;
      const isNew = request.operation === 'CREATE';
      const defaultTolerations = isNew
        ? ((await tolerationsOf(request, 'defaultTolerations')) ?? options.defaults ?? [])
        : [];
      const more = qosClassOf(pod) === 'BestEffort' ? defaultTolerations : [...defaultTolerations, pressure];
      const admitted = more.length === 0 ? pod : withTolerations(pod, more);
      await requireAllowed(request, admitted);
      return admitted;
    },
    validate: (request) => requireAllowed(request, request.object as Pod),
  };
}

function withTolerations(pod: Pod, more: readonly Toleration[]): Pod {
  const own = (pod.spec?.tolerations ?? []) as readonly Toleration[];
  return { ...pod, spec: { ...pod.spec, tolerations: mergeTolerations(own, more) } } as Pod;
}

/** @throws StatusError 500 for an annotation that is not a list of tolerations in JSON, or is too long */
function parseTolerations(text: string | undefined, annotation: string): readonly Toleration[] | undefined {
  if (text === undefined) return undefined;
  if (text === '') return [];
  try {
    requireReadable(text, annotation);
    return namespaceTolerations(text) ?? [];
  } catch (error) {
    const syntax = error instanceof SyntaxError ? jsonSyntaxError(new TextEncoder().encode(text)) : undefined;
    const message = syntax ?? (error as Error).message;
    throw new StatusError({ code: 500, reason: '', message }, error);
  }
}
