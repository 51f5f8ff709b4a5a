import type { AdmissionRequest } from '@ashlar/admission';
import { type Pod, podReferences } from '@ashlar/authz';
import { type ApiObject, goQuote, StatusError } from '@ashlar/core';

/** The stored node of a name. */
export type FindNode = (name: string) => ApiObject | undefined | Promise<ApiObject | undefined>;

interface Owner {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean | null;
  readonly blockOwnerDeletion?: boolean | null;
}

const REFERENCES = [
  ['secrets', 'secrets'],
  ['configmaps', 'configmaps'],
] as const;

/**
 * Why a node may not create a pod, undefined if it may: only mirror pods of its own files, bound to and owned
 * by itself, without references to objects that it could then read (semantics/access#nodes).
 * @throws StatusError 404 if the node does not exist
 */
export async function mirrorPodProblem(
  node: string,
  { object }: AdmissionRequest,
  annotation: string,
  findNode: FindNode,
): Promise<string | undefined> {
  const pod = object as Pod;
  const who = `node ${goQuote(node)}`;
  if (pod.metadata.annotations?.[annotation] === undefined)
    return `pod does not have ${goQuote(annotation)} annotation, ${who} can only create mirror pods`;
  if (pod.spec?.nodeName !== node) return `${who} can only create pods with spec.nodeName set to itself`;
  return (
    ownerProblem(node, (pod.metadata.ownerReferences ?? []) as readonly Owner[]) ??
    (await uidProblem(node, pod, findNode)) ??
    referenceProblem(node, pod)
  );
}

function ownerProblem(node: string, owners: readonly Owner[]): string | undefined {
  const who = `node ${goQuote(node)}`;
  if (owners.length > 1) return `${who} can only create pods with a single owner reference set to itself`;
  const [owner] = owners;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    return `${who} can only create pods with an owner reference set to itself`;
  if (!owner.controller) return `${who} can only create pods with a controller owner reference set to itself`;
  return owner.blockOwnerDeletion
    ? `${who} must not set blockOwnerDeletion on an owner reference`
    : undefined;
}

async function uidProblem(node: string, pod: Pod, findNode: FindNode): Promise<string | undefined> {
  const stored = await findNode(node);
  if (!stored) throw StatusError.notFound({ group: '', resource: 'node' }, node);
  const given = (pod.metadata.ownerReferences?.[0] as Owner | undefined)?.uid ?? '';
  const { uid = '' } = stored.metadata;
  return given === uid ? undefined : `node ${node} UID mismatch: expected ${given} got ${uid}`;
}

function referenceProblem(node: string, pod: Pod): string | undefined {
  const refused = (what: string): string =>
    `node ${goQuote(node)} can not create pods that reference ${what}`;
  const named = new Set(podReferences(pod).map(({ resource }) => resource));
  if (named.has('serviceaccounts')) return refused('a service account');
  const first = REFERENCES.find(([resource]) => named.has(resource));
  if (first) return refused(first[1]);
  const volumes = pod.spec?.volumes ?? [];
  if (volumes.some(({ projected }) => projected?.sources?.some((source) => source.clusterTrustBundle)))
    return refused('clustertrustbundles');
  if (volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim))
    return refused('persistentvolumeclaims');
  return pod.spec?.resourceClaims?.length ? refused('resourceclaims') : undefined;
}
