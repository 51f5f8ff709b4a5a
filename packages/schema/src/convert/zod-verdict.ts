import type { ZodSchema } from './zod-type.ts';

/** An error that zod found. */
export interface ZodIssue {
  readonly message: string;
  /** Names of members and indices. */
  readonly path: readonly (string | number)[];
}

/** What zod says of a value: what it makes of it, or what is wrong. */
export interface ZodVerdict {
  readonly value?: unknown;
  readonly issues?: readonly ZodIssue[] | undefined;
}

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

interface ZodInternals {
  safeParse?(value: unknown): {
    readonly success: boolean;
    readonly data?: unknown;
    readonly error?: { readonly issues: readonly StandardIssue[] };
  };
  readonly '~standard': {
    validate(
      value: unknown,
    ): { readonly value?: unknown; readonly issues?: readonly StandardIssue[] } | Promise<unknown>;
  };
}

/**
 * Asks a type of zod about a value.
 * @throws TypeError where the type answers later: its refinements must not be async
 */
export function validateWithZod(type: ZodSchema, value: unknown): ZodVerdict {
  const internals = type as unknown as ZodInternals;
  if (internals.safeParse) {
    const { success, data, error } = synchronous(() => internals.safeParse?.(value)) ?? { success: false };
    return success ? { value: data } : { issues: (error?.issues ?? []).map(readIssue) };
  }
  const verdict = internals['~standard'].validate(value);
  if (!('then' in verdict)) {
    return verdict.issues ? { issues: verdict.issues.map(readIssue) } : { value: verdict.value };
  }
  verdict.catch(() => {});
  throw new TypeError(ASYNC_REFINEMENT);
}

/** What is said of refinements that response later. */
export const ASYNC_REFINEMENT: string =
  'a refinement is async, and validation does not wait: refuse in an admission plugin what has to be asked elsewhere';

function synchronous<T>(validate: () => T): T {
  try {
    return validate();
  } catch (error) {
    if ((error as Error | undefined)?.constructor?.name !== '$ZodAsyncError') throw error;
    throw new TypeError(ASYNC_REFINEMENT, { cause: error });
  }
}

function readIssue({ message, path = [] }: StandardIssue): ZodIssue {
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step));
  return { message, path: keys.map((key) => (typeof key === 'number' ? key : String(key))) };
}
