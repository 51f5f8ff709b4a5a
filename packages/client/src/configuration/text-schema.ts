import * as z from 'zod/mini';

/** A schema whose output is made of that of another. */
export const changed = <Schema extends z.ZodMiniType, Output>(
  schema: Schema,
  change: (value: z.output<Schema>, context: z.core.ParsePayload) => Output,
): z.ZodMiniType<Awaited<Output>> => z.pipe(schema, z.transform(change));

/** An optional string field; null and the empty string are the same as absent. */
export const text: z.ZodMiniType<string | undefined> = changed(
  z.nullish(z.string()),
  (value) => value || undefined,
);
