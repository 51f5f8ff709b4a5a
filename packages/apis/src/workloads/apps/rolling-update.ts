import type { JsonObject } from '@ashlar/core';

/** Adds empty parameters to the strategy of a rolling update, the default; other strategies have none. */
export function withRollingUpdate(strategy: JsonObject): JsonObject {
  const { type, rollingUpdate } = strategy;
  return (type && type !== 'RollingUpdate') || rollingUpdate ? strategy : { ...strategy, rollingUpdate: {} };
}
