import { isJsonObject, type JsonObject } from '@ashlar/core';

/** How pods are replaced when their template changes. */
export interface UpdateStrategy {
  readonly type?: string;
  readonly rollingUpdate?: {
    readonly maxUnavailable?: number | string;
    readonly maxSurge?: number | string;
  };
}

/**
 * Adds empty parameters to the strategy of a rolling update, the default; other strategies have none. If they are there all the same,
 * they have no default: a missing number is zero.
 */
export function withRollingUpdate(strategy: JsonObject): JsonObject {
  const { type, rollingUpdate } = strategy;
  if (!type || type === 'RollingUpdate') return rollingUpdate ? strategy : { ...strategy, rollingUpdate: {} };
  return isJsonObject(rollingUpdate) ? { ...strategy, rollingUpdate: withZero(rollingUpdate) } : strategy;
}

const withZero = ({ maxUnavailable, ...rest }: JsonObject): JsonObject => ({
  maxUnavailable: maxUnavailable ?? 0,
  ...rest,
});
