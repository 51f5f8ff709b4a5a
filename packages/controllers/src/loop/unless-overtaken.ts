import { StatusError } from '@ashlar/core';

/**
 * Runs a write, and ignores conflicts: the informer receives the concurrent change, and the object is
 * reconciled again.
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
