import { type ApiObject, fieldErrorText, type Status, StatusError, withMetadata } from '@ashlar/core';
import type { ActionEnvironment, ActionSubresource, RequestContext } from '@ashlar/registry';
import { withEntries } from '../../types/sorted-map.ts';
import { optionalOneOf, required } from '../field-rules.ts';
import { bindingSchema } from '../shapes/core/pod-actions.ts';
import { withCondition } from './pod-condition.ts';
import type { Pod } from './pod-types.ts';

interface Binding extends ApiObject {
  readonly target?: { readonly kind?: string; readonly name?: string };
}

/** Assigns a pod to a node, as schedulers do (semantics/verbs#subresources). */
export const podBinding: ActionSubresource = {
  name: 'binding',
  group: '',
  version: 'v1',
  kind: 'Binding',
  schema: bindingSchema,
  create: bindPod,
};

const success: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };

async function bindPod(
  context: RequestContext,
  name: string,
  binding: Binding,
  { parent, timestamp }: ActionEnvironment,
): Promise<Status> {
  refuseMalformed(binding, name);
  await parent.change(context, name, (pod) => bound(pod, binding, timestamp));
  return { ...success, code: 201 };
}

function refuseMalformed({ metadata, target = {} }: Binding, name: string): void {
  if (metadata.name !== name)
    throw StatusError.badRequest('name in URL does not match name in Binding object');
  const [error] = [
    ...(target.kind ? optionalOneOf('target.kind', target.kind, ['Node', '<empty>']) : []),
    ...required('target.name', target.name),
  ];
  if (error) throw new StatusError({ code: 500, reason: '', message: fieldErrorText(error) });
}

function bound(pod: Pod, { metadata, target = {} }: Binding, now: string): ApiObject {
  const conflict = (why: string): StatusError =>
    StatusError.conflict({ group: '', resource: 'pods/binding' }, pod.metadata.name ?? '', why);
  requirePreconditions(pod, metadata);
  const { name } = pod.metadata;
  if (pod.metadata.deletionTimestamp !== undefined)
    throw conflict(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (pod.spec?.nodeName) throw conflict(`pod ${name} is already assigned to node "${pod.spec.nodeName}"`);
  if (pod.spec?.schedulingGates?.length) throw conflict(`pod ${name} has non-empty .spec.schedulingGates`);
  const annotations = withEntries(pod.metadata.annotations ?? {}, Object.entries(metadata.annotations ?? {}));
  const annotated = Object.keys(annotations).length === 0 ? pod : withMetadata(pod, { annotations });
  const scheduled = withCondition(annotated, { type: 'PodScheduled', status: 'True' }, now);
  return { ...scheduled, spec: { ...scheduled.spec, nodeName: target.name } } as ApiObject;
}

function requirePreconditions({ metadata }: Pod, { uid, resourceVersion }: Binding['metadata']): void {
  const name = metadata.name ?? '';
  const pods = { group: '', resource: 'pods' };
  if (uid && uid !== metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
    throw StatusError.conflict(pods, name, why);
  }
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    const why = `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${metadata.resourceVersion}`;
    throw StatusError.conflict(pods, name, why);
  }
}
