/** A function that was called, or whatever a value is counted for. */
export interface ProfileFrame {
  readonly name: string;
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
}

/** Values of one stack. */
export interface ProfileSample {
  /** The innermost call first. */
  readonly stack: readonly ProfileFrame[];
  /** In the order of the kinds of values of the profile. */
  readonly values: readonly number[];
}

/** What a value counts: `cpu` in `nanoseconds`. */
export interface ProfileValue {
  readonly type: string;
  readonly unit: string;
}

/** A profile of a program. */
export interface Profile {
  readonly values: readonly ProfileValue[];
  readonly samples: readonly ProfileSample[];
  /** How often samples were taken. */
  readonly period?: { readonly of: ProfileValue; readonly amount: number };
}

/** What is being recorded. */
export interface Recording<T> {
  /** Ends the recording; called once. */
  stop(): Promise<T>;
}

/** Measures the program that a server is part of. */
export interface Profiler {
  /** Records where the program spends its time. @throws Error if that is recorded already */
  recordTime(): Promise<Recording<Profile>>;
  /** Records which calls allocate memory. @param released whether memory that was released since counts, too */
  recordAllocations(released: boolean): Promise<Recording<Profile>>;
  /** Records events of the program, as a document of any format. @throws Error if that is recorded already */
  recordTrace(): Promise<Recording<Uint8Array>>;
  /** Returns the memory in use. @param collects whether garbage is collected first */
  memory(collects: boolean): Promise<Profile>;
  /** Counts what the program waits for. */
  activities(): Profile;
}

/** Returns what changed between two profiles: their samples are added up by readers. */
export function changesBetween(before: Profile, after: Profile): Profile {
  const negative = before.samples.map(({ stack, values }) => ({
    stack,
    values: values.map((value) => -value),
  }));
  return { ...after, samples: [...negative, ...after.samples] };
}
