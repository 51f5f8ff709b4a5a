/** Where a command writes, and how it learns that it shall end. */
export interface CommandSurroundings {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}
