import { type AdmissionPlugin, type AdmissionRequest, forbiddenByAdmission } from '@ashlar/admission';
import {
  type ApiObject,
  goQuote,
  type JsonValue,
  jsonEqual,
  objectOf,
  ownMember,
  parseQuantity,
} from '@ashlar/core';
import type { Toleration } from '../pods/placement-types.ts';
import { storedNamed, type WorkloadAdmissionOptions } from './stored-classes.ts';
import { mergeTolerations } from './tolerations.ts';

type Quantities = Readonly<Record<string, string>>;

interface RuntimeClass extends ApiObject {
  readonly overhead?: { readonly podFixed?: Quantities };
  readonly scheduling?: {
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly Toleration[];
  };
}
interface RunPod extends ApiObject {
  readonly spec?: {
    readonly runtimeClassName?: string;
    readonly overhead?: Quantities;
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly Toleration[];
  };
}

/** Gives pods the overhead, node selector and tolerations of their runtime class (semantics/admission). */
export function createRuntimeClass(options: WorkloadAdmissionOptions): AdmissionPlugin {
  return {
    name: 'RuntimeClass',
    handles: ({ resource, subresource, operation }) =>
      operation === 'CREATE' && resource.group === '' && resource.resource === 'pods' && subresource === '',
    async admit(request) {
      const found = await classOf(request, options);
      if (!found) return undefined;
      const { object } = request;
      return withScheduling(request, withOverhead(request, object as RunPod, found), found);
    },
    async validate(request) {
      const expectedOverhead = (await classOf(request, options))?.overhead?.podFixed;
      const { overhead } = (request.object as RunPod).spec ?? {};
      if (expectedOverhead) requireOverhead(request, overhead, expectedOverhead);
      else if (overhead && Object.keys(overhead).length > 0)
        throw rejected(request, 'Pod Overhead set without corresponding RuntimeClass defined Overhead');
    },
  };
}

/** @throws StatusError 403 */
async function classOf(
  request: AdmissionRequest,
  options: WorkloadAdmissionOptions,
): Promise<RuntimeClass | undefined> {
  const name = (request.object as RunPod).spec?.runtimeClassName;
  if (name === undefined) return undefined;
  const found = await storedNamed(options, 'node.', 'runtimeclasses', name);
  if (!found) throw rejected(request, `RuntimeClass ${goQuote(name)} not found`);
  return found;
}

function withOverhead(request: AdmissionRequest, pod: RunPod, { overhead }: RuntimeClass): RunPod {
  if (!overhead) return pod;
  const podOverhead = overhead.podFixed ?? {};
  const own = pod.spec?.overhead ?? {};
  if (Object.keys(own).length > 0) requireOverhead(request, own, podOverhead);
  return { ...pod, spec: { ...pod.spec, overhead: podOverhead } };
}

function withScheduling(request: AdmissionRequest, pod: RunPod, { scheduling }: RuntimeClass): ApiObject {
  if (!scheduling) return pod;
  const { nodeSelector = {}, tolerations = [] } = pod.spec ?? {};
  for (const [key, value] of Object.entries(scheduling.nodeSelector ?? {})) {
    const own = ownMember(nodeSelector, key);
    if (own === undefined || own === value) continue;
    const why = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`;
    throw forbiddenByAdmission(request, why);
  }
  const selector = { ...nodeSelector, ...scheduling.nodeSelector };
  const merged = mergeTolerations(tolerations, scheduling.tolerations ?? []);
  const spec = {
    ...pod.spec,
    ...(Object.keys(selector).length > 0 && { nodeSelector: selector }),
    ...(merged.length > 0 && { tolerations: merged }),
  };
  return { ...pod, spec } as ApiObject;
}

/** @throws StatusError 403 */
function requireOverhead(
  request: AdmissionRequest,
  found: Quantities | undefined,
  expected: Quantities,
): void {
  if (found && jsonEqual(canonical(found), canonical(expected))) return;
  throw rejected(request, "Pod's Overhead doesn't match RuntimeClass's defined Overhead");
}

const canonical = (quantities: Quantities): JsonValue =>
  objectOf(Object.entries(quantities).map(([name, text]) => [name, String(parseQuantity(text))]));

const rejected = (request: AdmissionRequest, why: string): Error =>
  forbiddenByAdmission(request, `pod rejected: ${why}`);
