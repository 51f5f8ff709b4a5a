import type { ApiObject } from '@ashlar/core';

/** Returns an object with another status, or without one; the status is its last field. */
export function withStatus({ status: _, ...object }: ApiObject, status: unknown): ApiObject {
  return (status === undefined ? object : { ...object, status }) as ApiObject;
}
