import type { CodeCache } from '../launch/code-cache.ts';

/** The output streams of a command, and the signal that stops it. */
export interface CommandSurroundings {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** Where the code of the command is kept for the next start, if it can be. */
  readonly codeCache?: CodeCache;
}
