import * as z from 'zod';

/** An optional string field; null and the empty string are the same as absent. */
export const text: z.ZodType<string | undefined> = z
  .string()
  .nullish()
  .transform((value) => value || undefined);
