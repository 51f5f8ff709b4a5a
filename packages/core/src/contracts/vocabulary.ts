/**
 * The names on the wire that contain a vendor's word (semantics/README#vocabulary). No other place in the
 * packages spells them; derived names (`apps` of `x-kubernetes-…`, groups, media types) are derived from
 * these.
 */
export interface Vocabulary {
  /** The vendor's word itself, also the namespace finalizer: `orch`, `kubernetes`. */
  readonly name: string;
  /** Domain of API groups: `rbac.authorization.<groupDomain>`. */
  readonly groupDomain: string;
  /** Domain of labels, annotations and types: `<labelDomain>/metadata.name`. */
  readonly labelDomain: string;
  /** Domains reserved for the vendor; subdomains too. */
  readonly reservedDomains: readonly string[];
  /** `application/vnd.<vendor>.protobuf`. */
  readonly protobufMediaType: string;
  /** Prefix of schema extensions, `x-orch-`. */
  readonly extensionPrefix: string;
  /** Prefix of names in published schemas, reversed domain: `io.orch`. */
  readonly schemaPrefix: string;
  /** Prefix of names in published Protobuf files: `orch.io`. */
  readonly protobufPackage: string;
  /** Prefix of system namespaces: `orch` gives `orch-system`. */
  readonly namespacePrefix: string;
  /** Name of the command-line client, for its annotations and managers. */
  readonly clientName: string;
  /** Prefix of the vendor's response headers: `X-Orch-PF-`. */
  readonly flowControlHeaderPrefix: string;
  /** Environment variable that credential plugins read. */
  readonly execInfoVariable: string;
  /** URL of the policy for APIs in groups of the vendor. */
  readonly approvalPolicy: string;
}

/** The specification's own names. */
export const orchVocabulary: Vocabulary = {
  name: 'orch',
  groupDomain: 'orch.io',
  labelDomain: 'orch.io',
  reservedDomains: ['orch.io', 'kubernetes.io', 'k8s.io'],
  protobufMediaType: 'application/vnd.orch.protobuf',
  extensionPrefix: 'x-orch-',
  schemaPrefix: 'io.orch',
  protobufPackage: 'orch.io',
  namespacePrefix: 'orch',
  clientName: 'orchctl',
  flowControlHeaderPrefix: 'X-Orch-PF-',
  execInfoVariable: 'ORCH_EXEC_INFO',
  approvalPolicy: 'https://github.com/kubernetes/enhancements/pull/1111',
};

/** The names that clients of Kubernetes expect. */
export const kubernetesVocabulary: Vocabulary = {
  name: 'kubernetes',
  groupDomain: 'k8s.io',
  labelDomain: 'kubernetes.io',
  reservedDomains: ['k8s.io', 'kubernetes.io', 'x-k8s.io'],
  protobufMediaType: 'application/vnd.kubernetes.protobuf',
  extensionPrefix: 'x-kubernetes-',
  schemaPrefix: 'io.k8s',
  protobufPackage: 'k8s.io',
  namespacePrefix: 'kube',
  clientName: 'kubectl',
  flowControlHeaderPrefix: 'X-Kubernetes-Pf-',
  execInfoVariable: 'KUBERNETES_EXEC_INFO',
  approvalPolicy: 'https://github.com/kubernetes/enhancements/pull/1111',
};

/** The presets by name. */
export const vocabularies: Readonly<Record<string, Vocabulary>> = {
  orch: orchVocabulary,
  kubernetes: kubernetesVocabulary,
};

/**
 * The served name of a group: groups of the vendor are declared by their first part and a dot
 * (`coordination.`), others in full (`apps`).
 * @example groupName(orchVocabulary, 'coordination.') // coordination.orch.io
 */
export function groupName(vocabulary: Vocabulary, declared: string): string {
  return declared.endsWith('.') ? declared + vocabulary.groupDomain : declared;
}

/** The name of a vocabulary as texts begin with it: `Kubernetes`. */
export function productName({ name }: Vocabulary): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Group of Table, PartialObjectMetadata and the options of requests: `meta.orch.io`. */
export function metaGroup(vocabulary: Vocabulary): string {
  return `meta.${vocabulary.groupDomain}`;
}

/**
 * Prefix of the WebSocket sub-protocol that carries a bearer token, for callers that cannot set headers; the
 * token follows in base64url.
 */
export function tokenProtocolPrefix(vocabulary: Vocabulary): string {
  return `base64url.bearer.authorization.${vocabulary.groupDomain}.`;
}

/** A system namespace: `systemNamespace(v, 'system')` is `orch-system`. */
export function systemNamespace(vocabulary: Vocabulary, suffix: 'system' | 'public' | 'node-lease'): string {
  return `${vocabulary.namespacePrefix}-${suffix}`;
}
