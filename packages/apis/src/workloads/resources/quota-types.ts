import type { ApiObject } from '@ashlar/core';
import type { ResourceList } from '../pods/container-types.ts';

// Limits of namespaces, as far as they are counted and validated here.

/** Limits of the resources of a namespace. */
export interface ResourceQuota extends ApiObject {
  readonly spec?: {
    readonly hard?: ResourceList;
    readonly scopes?: readonly string[];
    readonly scopeSelector?: {
      readonly matchExpressions?: readonly {
        readonly scopeName?: string;
        readonly operator?: string;
        readonly values?: readonly string[];
      }[];
    };
  };
  readonly status?: { readonly hard?: ResourceList; readonly used?: ResourceList };
}

/** Bounds and defaults of one type of object: `Container`, `Pod`, `PersistentVolumeClaim`. */
export interface LimitItem {
  readonly type?: string;
  readonly max?: ResourceList;
  readonly min?: ResourceList;
  readonly default?: ResourceList;
  readonly defaultRequest?: ResourceList;
  readonly maxLimitRequestRatio?: ResourceList;
}

/** Limits and defaults for objects of a namespace. */
export interface LimitRange extends ApiObject {
  readonly spec?: { readonly limits?: readonly LimitItem[] | null };
}
