import { StatusError } from '@ashlar/core';

/**
 * Writes, unless what is written has changed or gone meanwhile, or somebody else has made it: of that write an informer hears, and the
 * object is looked at again.
 */
export async function unlessOvertaken<T>(write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    if (REASONS.some((reason) => StatusError.is(error, reason))) return undefined;
    throw error;
  }
}

const REASONS = ['NotFound', 'Conflict', 'AlreadyExists'] as const;
