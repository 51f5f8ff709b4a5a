/** A command that was given what it cannot use: one sentence for the person, exit status 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** A server that what it stands on keeps from running, whatever it was given: one sentence for the person, exit status 1. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
