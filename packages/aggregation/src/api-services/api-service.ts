import type { ApiObject } from '@ashlar/core';

/** The server of a version of a group: this one, unless a service is named (semantics/discovery#aggregation). */
export interface ApiService extends ApiObject {
  readonly spec: ApiServiceSpec;
  readonly status?: ApiServiceStatus;
}

export interface ApiServiceSpec {
  readonly group?: string;
  readonly version?: string;
  /** Minimum priority of the group. */
  readonly groupPriorityMinimum: number;
  /** Priority of the version among those of the group. */
  readonly versionPriority: number;
  /** The service of another server; absent for this one. */
  readonly service?: { readonly namespace?: string; readonly name?: string; readonly port?: number };
  /** Certificates in PEM, base64. */
  readonly caBundle?: string;
  readonly insecureSkipTLSVerify?: boolean;
}

export interface ApiServiceStatus {
  readonly conditions?: readonly ApiServiceCondition[];
}

export interface ApiServiceCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}
