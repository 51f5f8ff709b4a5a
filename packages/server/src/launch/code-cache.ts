/** Compiled code of a program, kept beside it so that the next start need not compile. */
export interface CodeCache {
  readonly file: string;
  /** Whether this process runs code from the file, or why not: there was none, or it did not fit. */
  readonly state: 'accepted' | 'absent' | 'rejected';
  /**
   * Writes the code that has been compiled so far. It takes tens of milliseconds, during which nothing else runs.
   * @returns bytes of the code
   * @throws Error of the file system
   */
  save(): number;
}
