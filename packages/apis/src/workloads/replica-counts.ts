import { type ApiObject, type FieldError, FieldErrors } from '@ashlar/core';
import { invalidWhen, nonNegative } from './field-rules.ts';

// Counters in the status of kinds that keep pods running.

/** Counters of a status, which must not be negative. */
export function countErrors(status: object | undefined, names: readonly string[]): readonly FieldError[] {
  const counts = (status ?? {}) as Readonly<Record<string, number | undefined>>;
  return names.flatMap((name) => nonNegative(`status.${name}`, counts[name]));
}

/** Counters of a status that must not exceed its replicas. */
export function withinReplicas(status: object | undefined, names: readonly string[]): readonly FieldError[] {
  const counts = (status ?? {}) as Readonly<Record<string, number | undefined>>;
  const { replicas = 0 } = counts;
  return names.flatMap((name) => {
    const count = counts[name] ?? 0;
    return count > replicas
      ? [FieldErrors.invalid(`status.${name}`, count, 'cannot be greater than status.replicas')]
      : [];
  });
}

/** Available pods must not exceed ready ones. */
export function availableErrors(object: ApiObject, of: string): readonly FieldError[] {
  const { readyReplicas = 0, availableReplicas = 0 } = (object.status ?? {}) as Readonly<
    Record<string, number>
  >;
  return availableReplicas > readyReplicas
    ? [FieldErrors.invalid('status.availableReplicas', availableReplicas, `cannot be greater than ${of}`)]
    : [];
}

/** A counter that only grows, so that it is never used twice. */
export function collisionErrors(object: ApiObject, stored: ApiObject): readonly FieldError[] {
  const countOf = ({ status }: ApiObject): number | undefined =>
    ((status ?? {}) as { readonly collisionCount?: number }).collisionCount;
  const before = countOf(stored);
  const count = countOf(object) ?? 0;
  return invalidWhen(
    before !== undefined && (countOf(object) === undefined || count < before),
    'status.collisionCount',
    count,
    'cannot be decremented',
  );
}

/** Errors of the status of equal pods. */
export function replicasStatusErrors(object: ApiObject): readonly FieldError[] {
  const status = object.status as object | undefined;
  const counts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];
  return [
    ...countErrors(status, ['replicas', ...counts, 'observedGeneration']),
    ...withinReplicas(status, counts),
    ...availableErrors(object, 'readyReplicas'),
  ];
}
