import type { JsonObject } from '@ashlar/core';

/** How pods are replaced when their template changes. */
export interface UpdateStrategy {
  readonly type?: string;
  readonly rollingUpdate?: {
    readonly maxUnavailable?: number | string;
    readonly maxSurge?: number | string;
  };
}

/** Adds empty parameters to the strategy of a rolling update, the default; other strategies have none. */
export function withRollingUpdate(strategy: JsonObject): JsonObject {
  const { type, rollingUpdate } = strategy;
  return (type && type !== 'RollingUpdate') || rollingUpdate ? strategy : { ...strategy, rollingUpdate: {} };
}
