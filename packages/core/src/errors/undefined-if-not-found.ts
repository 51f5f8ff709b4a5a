import { StatusError } from './status-error.ts';

/**
 * Returns undefined for the error that an object does not exist.
 * @throws any other error
 * @example const stored = await client.get('a').catch(undefinedIfNotFound);
 */
export function undefinedIfNotFound(error: unknown): undefined {
  if (!StatusError.is(error, 'NotFound')) throw error;
  return undefined;
}
