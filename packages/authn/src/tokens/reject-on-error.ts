import { type Authentication, toError } from '@ashlar/core';

/** Turns exceptions of an authentication into rejections. */
export async function rejectOnError(authenticate: () => Promise<Authentication>): Promise<Authentication> {
  try {
    return await authenticate();
  } catch (error) {
    return { outcome: 'rejected', error: toError(error) };
  }
}
