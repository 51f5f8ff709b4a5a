/** What classifies a request, besides its user. */
export interface FlowRequest {
  /** `create`, `list`, `watch`; of other requests than those for resources the method in lower case. */
  readonly verb: string;
  readonly isResourceRequest: boolean;
  /** The path of other requests than those for resources is matched. */
  readonly path: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for cluster-scoped resources and for lists over all namespaces. */
  readonly namespace: string;
  readonly name: string;
}
