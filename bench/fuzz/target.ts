/** A parser that is given bytes nobody has looked at. */
export interface Target {
  readonly name: string;
  /** Inputs to begin with. */
  readonly seeds: readonly (string | Uint8Array)[];
  /** Words that mean something to it. */
  readonly words: readonly string[];
  /** Names of the errors that reject an input; any other is a finding. */
  readonly refusals: readonly string[];
  /** Longest time for each KB of input, in milliseconds. Default 5. */
  readonly millisecondsPerKilobyte?: number;
  run(input: Uint8Array): unknown;
}

/** A target of texts. */
export function textTarget(
  target: Omit<Target, 'run'> & { read(text: string): unknown; readonly encoding?: 'utf8' | 'latin1' },
): Target {
  const { read, encoding = 'utf8', ...rest } = target;
  return { ...rest, run: (input) => read(Buffer.from(input).toString(encoding)) };
}
