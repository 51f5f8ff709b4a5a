import type { ApiObject } from '@ashlar/core';

/** Who serves a version of a group: this server, where no service is named (semantics/discovery#aggregation). */
export interface ApiService extends ApiObject {
  readonly spec: ApiServiceSpec;
  readonly status?: ApiServiceStatus;
}

export interface ApiServiceSpec {
  readonly group?: string;
  readonly version?: string;
  /** At least this much priority has the group among groups. */
  readonly groupPriorityMinimum: number;
  /** Priority of the version among those of the group. */
  readonly versionPriority: number;
  /** Another server; none for this one. */
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
