import { z } from 'zod';

/** A text of a field that may be absent; null and the empty text are the same as absent. */
export const text: z.ZodType<string | undefined> = z
  .string()
  .nullish()
  .transform((value) => value || undefined);
