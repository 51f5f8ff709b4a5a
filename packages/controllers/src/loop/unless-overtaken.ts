import { StatusError } from '@ashlar/core';

/**
 * Runs a write, and ignores that the object was changed, deleted or created meanwhile: the informer receives that change, and the
 * object is reconciled again.
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
