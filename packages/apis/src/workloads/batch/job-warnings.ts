import { type ObjectMeta, productName, type Vocabulary } from '@ashlar/core';
import { templateWarnings } from '../pods/pod-warnings.ts';
import type { JobSpec } from './job-types.ts';

const MANY_COMPLETIONS = 100_000;
const MANY_PARALLEL = 10_000;

/** Texts of Warning headers about a job or a template of jobs that is new, or whose generation changed. */
export function jobWarnings(
  spec: JobSpec,
  vocabulary: Vocabulary,
  { path, metadata, stored }: { path: string; metadata: ObjectMeta; stored: ObjectMeta | undefined },
): readonly string[] {
  const { completionMode, completions = 0, parallelism = 0 } = spec;
  const isNew = stored === undefined || stored.generation !== metadata.generation;
  const isLarge =
    completionMode === 'Indexed' && completions > MANY_COMPLETIONS && parallelism > MANY_PARALLEL;
  return [
    ...(isNew && isLarge
      ? [
          `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, ${productName(vocabulary)} might not be able to track completedIndexes when a big number of indexes fail`,
        ]
      : []),
    ...templateWarnings(spec.template, vocabulary, { path: `${path}.template`, metadata, stored }),
  ];
}
