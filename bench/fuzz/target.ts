/** A parser of untrusted bytes. */
export interface Target {
  readonly name: string;
  /** Initial inputs. */
  readonly seeds: readonly (string | Uint8Array)[];
  /** Tokens of its language. */
  readonly words: readonly string[];
  /** Names of expected errors; any other is a finding. */
  readonly refusals: readonly string[];
  /** Maximum time per KB of input, in milliseconds. Default 5. */
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
