import { type AdmissionPlugin, type AdmissionRequest, forbiddenByAdmission } from '@ashlar/admission';
import {
  type ApiObject,
  type MaybePromise,
  ownMember,
  StatusError,
  trimSpace,
  type Vocabulary,
} from '@ashlar/core';
import type { Pod } from '../core/pod-types.ts';

type Labels = Readonly<Record<string, string>>;

export interface PodNodeSelectorOptions {
  readonly vocabulary: Vocabulary;
  /** Selectors by namespace, such as `a=b,c=d`, which limit what pods may select; `clusterDefaultNodeSelector` for all without an annotation. */
  readonly selectors?: Labels;
  /** Returns the namespace of that name; a cached state is sufficient. */
  namespace(name: string): MaybePromise<ApiObject | undefined>;
}

const DEFAULT = 'clusterDefaultNodeSelector';

/** Has pods run on the nodes that an annotation of their namespace selects. */
export function createPodNodeSelector(options: PodNodeSelectorOptions): AdmissionPlugin {
  return {
    name: 'PodNodeSelector',
    handles: ({ resource, subresource, operation }) =>
      operation === 'CREATE' && resource.group === '' && resource.resource === 'pods' && subresource === '',
    async admit(request) {
      const pod = request.object as Pod;
      const selector = await selectorOf(request, options);
      requireFitting(request, pod, selector);
      const nodeSelector = { ...selector, ...pod.spec?.nodeSelector };
      requireAllowed(request, nodeSelector, options);
      if (Object.keys(nodeSelector).length === 0) return undefined;
      return { ...pod, spec: { ...pod.spec, nodeSelector } } as ApiObject;
    },
    async validate(request) {
      const pod = request.object as Pod;
      requireFitting(request, pod, await selectorOf(request, options));
      requireAllowed(request, pod.spec?.nodeSelector ?? {}, options);
    },
  };
}

/** Refuses labels that the configuration does not allow in the namespace. @throws StatusError 403 */
function requireAllowed(
  request: AdmissionRequest,
  labels: Labels,
  { selectors }: PodNodeSelectorOptions,
): void {
  const allowed = parseSelector(ownMember(selectors ?? {}, request.namespace) ?? '');
  const isAllowed =
    Object.keys(allowed).length === 0 ||
    Object.entries(labels).every(([key, value]) => ownMember(allowed, key) === value);
  if (!isAllowed)
    throw forbiddenByAdmission(
      request,
      'pod node label selector labels conflict with its namespace whitelist',
    );
}

function requireFitting(request: AdmissionRequest, { spec }: Pod, selector: Labels): void {
  const conflicts = Object.entries(spec?.nodeSelector ?? {}).some(
    ([key, value]) => (ownMember(selector, key) ?? value) !== value,
  );
  if (conflicts)
    throw forbiddenByAdmission(
      request,
      'pod node label selector conflicts with its namespace node label selector',
    );
}

async function selectorOf({ namespace }: AdmissionRequest, options: PodNodeSelectorOptions): Promise<Labels> {
  const found = await options.namespace(namespace);
  if (!found) throw StatusError.internalError(new Error(`namespace ${namespace} does not exist`));
  const annotation =
    found.metadata.annotations?.[`scheduler.alpha.${options.vocabulary.labelDomain}/node-selector`];
  return parseSelector(annotation ?? options.selectors?.[DEFAULT] ?? '');
}

/** Parses `a=b,c=d`. @throws StatusError 500 */
function parseSelector(text: string): Labels {
  const labels: Record<string, string> = {};
  for (const part of text === '' ? [] : text.split(',')) {
    const [key = '', value, ...more] = part.split('=');
    if (value === undefined || more.length > 0)
      throw new StatusError({
        code: 500,
        reason: '',
        message: `invalid selector: [${part.replaceAll('=', ' ')}]`,
      });
    labels[trimSpace(key)] = trimSpace(value);
  }
  return labels;
}
