/** A command that was given what it cannot use: one sentence for the person, exit status 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
