/** Invalid arguments of the command: reported in one sentence, exit status 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** A failure of the environment, such as the disk, at startup: reported in one sentence, exit status 1. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
