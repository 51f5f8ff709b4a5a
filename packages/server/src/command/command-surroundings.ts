/** The output streams of a command, and the signal that stops it. */
export interface CommandSurroundings {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}
