import type { AdmissionRequest } from '@ashlar/admission';
import type { ApiObject } from '@ashlar/core';
import type { Amounts } from '../admission/pod-resources.ts';

/** How objects of a type use what quotas limit. */
export interface QuotaUsage {
  /** Which writes may need more. */
  handles(request: Pick<AdmissionRequest, 'operation' | 'subresource'>): boolean;
  /** Whether a name of a quota concerns objects of the type. */
  isCounted(name: string): boolean;
  /** All names for which `isCounted` holds, if they are few. */
  readonly names?: readonly string[];
  /** What an object uses. */
  of(object: ApiObject): Amounts;
  /** Whether an object is in a scope of a quota; without it no object is in any. */
  isInScope?(scope: QuotaScope, object: ApiObject): boolean;
  /** What an object does not say although a quota limits it. */
  omissions?(names: readonly string[], object: ApiObject): string | undefined;
}

/** A scope of a quota: `PriorityClass In [high]`. */
export interface QuotaScope {
  readonly scopeName?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}
