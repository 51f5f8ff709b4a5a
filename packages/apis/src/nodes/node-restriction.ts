import { type AdmissionPlugin, type AdmissionRequest, forbiddenByAdmission } from '@ashlar/admission';
import { nodeNameOf, type Pod } from '@ashlar/authz';
import {
  type Ambient,
  type ApiObject,
  goQuote,
  groupName,
  type JsonValue,
  jsonEqual,
  ParseError,
  runInSlices,
  StatusError,
  systemNamespace,
  type Vocabulary,
} from '@ashlar/core';
import { readCertificateRequestSteps } from '../workloads/certificates/certificate-bytes.ts';
import { mirrorAnnotation } from '../workloads/pods/pod-annotations.ts';
import { type FindNode, mirrorPodProblem } from './mirror-pod.ts';
import { forbiddenNodeLabels } from './node-labels.ts';

export interface NodeRestrictionOptions {
  /** Without turns, certificate requests are read in one piece. */
  readonly ambient: Pick<Ambient, 'vocabulary' | 'clock' | 'turns'>;
  /** The stored pod of a name. */
  pod(namespace: string, name: string): ApiObject | undefined | Promise<ApiObject | undefined>;
  /** The stored node of a name. */
  readonly node: FindNode;
}

/** Why a node may not perform an operation; undefined if it may. */
type Check = (node: string, request: AdmissionRequest) => string | undefined | Promise<string | undefined>;

/**
 * Restricts nodes to changes of themselves and of their pods, as far as the node authorizer cannot check that
 * without reading objects (semantics/access#nodes). Other users are not restricted.
 * @example
 * const plugin = createNodeRestriction({ ambient, pod: findPod, node: findNode });
 * const admission = createAdmissionChain([plugin]);
 */
export function createNodeRestriction(options: NodeRestrictionOptions): AdmissionPlugin {
  const checks = checksOf(options);
  return {
    name: 'NodeRestriction',
    handles: ({ user }) => nodeNameOf(user) !== undefined,
    async admit(request) {
      const { user, resource } = request;
      const node = nodeNameOf(user);
      const why = node
        ? await checks.get(`${resource.resource}.${resource.group}`)?.(node, request)
        : `could not determine node from user ${goQuote(user.name)}`;
      if (why !== undefined) throw forbiddenByAdmission(request, why);
      return undefined;
    },
  };
}

function checksOf({ ambient, pod, node }: NodeRestrictionOptions): ReadonlyMap<string, Check> {
  const { vocabulary } = ambient;
  const home = systemNamespace(vocabulary, 'node-lease');
  const signers = ['kubelet-serving', `${vocabulary.namespacePrefix}-apiserver-client-kubelet`];
  const mirror = mirrorAnnotation(vocabulary);
  const storedPod = async (namespace: string, name: string): Promise<Pod> => {
    const found = await pod(namespace, name);
    if (!found) throw StatusError.notFound({ group: '', resource: 'pod' }, name);
    return found as Pod;
  };
  return new Map<string, Check>([
    ['pods.', podCheck(storedPod, (name, request) => mirrorPodProblem(name, request, mirror, node))],
    ['nodes.', (name, request) => nodeProblem(name, request, vocabulary)],
    ['persistentvolumeclaims.', claimProblem],
    ['serviceaccounts.', tokenCheck(storedPod)],
    [
      `leases.${groupName(vocabulary, 'coordination.')}`,
      (name, request) =>
        request.namespace === home
          ? ownNameProblem(name, request, 'node lease')
          : `can only access leases in the ${goQuote(home)} system namespace`,
    ],
    [
      `csinodes.${groupName(vocabulary, 'storage.')}`,
      (name, request) => ownNameProblem(name, request, 'CSINode'),
    ],
    [
      `certificatesigningrequests.${groupName(vocabulary, 'certificates.')}`,
      (name, request) =>
        certificateProblem(
          name,
          request,
          signers.map((signer) => `${vocabulary.labelDomain}/${signer}`),
          ambient,
        ),
    ],
  ]);
}

type FindPod = (namespace: string, name: string) => Promise<Pod>;

const podCheck =
  (storedPod: FindPod, mirrorProblem: Check): Check =>
  async (node, request) => {
    const { subresource, operation, namespace, name } = request;
    if (subresource === 'status') return podStatusProblem(node, request);
    if (subresource === 'eviction') {
      if (operation !== 'CREATE') return `unexpected operation ${operation}`;
      const { spec } = await storedPod(namespace, name || (request.object?.metadata.name ?? ''));
      return spec?.nodeName === node
        ? undefined
        : `node ${node} can only evict pods with spec.nodeName set to itself`;
    }
    if (subresource !== '')
      return `unexpected pod subresource ${goQuote(subresource)}, only 'status' and 'eviction' are allowed`;
    if (operation === 'CREATE') return mirrorProblem(node, request);
    if (operation !== 'DELETE')
      return `unexpected operation ${goQuote(operation)}, node ${goQuote(node)} can only create and delete mirror pods`;
    const { spec } = await storedPod(namespace, name);
    return spec?.nodeName === node
      ? undefined
      : `node ${goQuote(node)} can only delete pods with spec.nodeName set to itself`;
  };

interface PodWithClaims extends ApiObject {
  readonly status?: { readonly resourceClaimStatuses?: readonly object[] | null };
}

function podStatusProblem(
  node: string,
  { operation, object, oldObject }: AdmissionRequest,
): string | undefined {
  if (operation !== 'UPDATE') return `unexpected operation ${goQuote(operation)}`;
  if ((oldObject as Pod).spec?.nodeName !== node)
    return `node ${goQuote(node)} can only update pod status for pods with spec.nodeName set to itself`;
  if (!same(object?.metadata.labels ?? {}, oldObject?.metadata.labels ?? {}))
    return `node ${goQuote(node)} cannot update labels through pod status`;
  return same(claimStatuses(object), claimStatuses(oldObject))
    ? undefined
    : `node ${goQuote(node)} cannot update resource claim statues`;
}

const claimStatuses = (pod: ApiObject | undefined): readonly object[] =>
  (pod as PodWithClaims | undefined)?.status?.resourceClaimStatuses ?? [];

const same = (a: unknown, b: unknown): boolean =>
  jsonEqual((a ?? null) as JsonValue, (b ?? null) as JsonValue);

interface NodeObject extends ApiObject {
  readonly spec?: { readonly configSource?: object | null; readonly taints?: readonly object[] };
}

function nodeProblem(
  node: string,
  { operation, name, object, oldObject }: AdmissionRequest,
  vocabulary: Vocabulary,
): string | undefined {
  const who = `node ${goQuote(node)}`;
  const other = name || (object?.metadata.name ?? '');
  if (other !== node) return `${who} is not allowed to modify node ${goQuote(other)}`;
  const { metadata, spec = {} } = (object ?? oldObject) as NodeObject;
  const { configSource } = spec;
  if (operation === 'CREATE') {
    if (configSource) return `${who} is not allowed to create pods with a non-nil configSource`;
    const labels = forbiddenNodeLabels(metadata.labels, undefined, vocabulary);
    if (labels.length > 0) return `${who} is not allowed to set the following labels: ${labels.join(', ')}`;
  }
  if (operation !== 'UPDATE') return undefined;
  const { metadata: before, spec: stored = {} } = oldObject as NodeObject;
  if (configSource && !same(configSource, stored.configSource))
    return `${who} is not allowed to update configSource to a new non-nil configSource`;
  if (!same(spec.taints ?? [], stored.taints ?? [])) return `${who} is not allowed to modify taints`;
  if (!same(metadata.ownerReferences ?? [], before.ownerReferences ?? []))
    return `${who} is not allowed to modify ownerReferences`;
  const labels = forbiddenNodeLabels(metadata.labels, before.labels, vocabulary);
  return labels.length > 0 ? `is not allowed to modify labels: ${labels.join(', ')}` : undefined;
}

function claimProblem(
  node: string,
  { operation, subresource, object, oldObject }: AdmissionRequest,
): string | undefined {
  if (subresource !== 'status') return 'may only update PVC status';
  if (operation !== 'UPDATE') return `unexpected operation ${goQuote(operation)}`;
  if (same(withoutProgress(object), withoutProgress(oldObject))) return undefined;
  return `node ${goQuote(node)} is not allowed to update fields other than status.quantity and status.conditions`;
}

/** A claim without the fields that its node may change. */
function withoutProgress(claim: ApiObject | undefined): unknown {
  const { metadata, status, ...rest } = claim as ApiObject & { readonly status?: object };
  const { resourceVersion: _, managedFields: __, ...ownMetadata } = metadata;
  const {
    capacity: _c,
    conditions: _d,
    allocatedResources: _a,
    allocatedResourceStatuses: _s,
    ...others
  } = (status ?? {}) as Record<string, unknown>;
  return { ...rest, metadata: ownMetadata, status: others };
}

const tokenCheck =
  (storedPod: FindPod): Check =>
  async (node, { operation, subresource, namespace, object }) => {
    if (operation !== 'CREATE' || subresource !== 'token') return undefined;
    const { boundObjectRef: ref } = (object as TokenRequest).spec ?? {};
    if (ref?.apiVersion !== 'v1' || ref.kind !== 'Pod' || !ref.name)
      return 'node requested token not bound to a pod';
    if (!ref.uid) return 'node requested token with a pod binding without a uid';
    const { metadata, spec } = await storedPod(namespace, ref.name);
    if (metadata.uid !== ref.uid)
      return `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    return spec?.nodeName === node
      ? undefined
      : 'node requested token bound to a pod scheduled on a different node';
  };

interface TokenRequest extends ApiObject {
  readonly spec?: {
    readonly boundObjectRef?: {
      readonly apiVersion?: string;
      readonly kind?: string;
      readonly name?: string;
      readonly uid?: string;
    } | null;
  };
}

function ownNameProblem(
  node: string,
  { operation, name, object }: AdmissionRequest,
  what: string,
): string | undefined {
  const own = operation === 'CREATE' ? object?.metadata.name : name;
  return own === node ? undefined : `can only access ${what} with the same name as the requesting node`;
}

async function certificateProblem(
  node: string,
  { operation, subresource, object }: AdmissionRequest,
  signers: readonly string[],
  ambient: Pick<Ambient, 'clock' | 'turns'>,
): Promise<string | undefined> {
  if (operation !== 'CREATE' || subresource !== '') return undefined;
  const { signerName = '', request } = (object as CertificateRequest).spec ?? {};
  if (!signers.includes(signerName)) return undefined;
  try {
    const { commonName } = await runInSlices(readCertificateRequestSteps(request ?? ''), ambient);
    return commonName === `system:node:${node}`
      ? undefined
      : `can only create a node CSR with CN=system:node:${node}`;
  } catch (error) {
    if (ParseError.is(error)) return `unable to parse csr: ${error.message}`;
    throw error;
  }
}

interface CertificateRequest extends ApiObject {
  readonly spec?: { readonly signerName?: string; readonly request?: string | null };
}
