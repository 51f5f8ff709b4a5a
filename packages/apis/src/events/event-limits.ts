import { choiceErrors, type FieldError, FieldErrors } from '@ashlar/core';

/** What a limit counts events by. */
const EVENT_LIMIT_TYPES = ['Namespace', 'Server', 'SourceAndObject', 'User'] as const;

/** How many events are admitted: as a whole, by namespace, by user, or by reporter and object. */
export interface EventLimit {
  readonly type: (typeof EVENT_LIMIT_TYPES)[number];
  /** Events per second. */
  readonly qps: number;
  /** Events that may come at once after a pause. */
  readonly burst: number;
  /** Of how many namespaces, users or objects the last events are remembered; default 4,096. */
  readonly cacheSize?: number;
}

/** Returns the errors of limits. */
export function eventLimitErrors(limits: readonly EventLimit[]): readonly FieldError[] {
  if (limits.length === 0) return [FieldErrors.invalid('limits', null, 'must not be empty')];
  return limits.flatMap(({ type, qps, burst, cacheSize = 0 }, index) => {
    const path = `limits[${index}]`;
    const positive = (field: string, value: number): readonly FieldError[] =>
      value > 0 ? [] : [FieldErrors.invalid(`${path}.${field}`, value, 'must be positive')];
    return [
      ...choiceErrors(`${path}.type`, type, EVENT_LIMIT_TYPES),
      ...positive('burst', burst),
      ...positive('qps', qps),
      ...(type === 'Server' || cacheSize >= 0
        ? []
        : [FieldErrors.invalid(`${path}.cacheSize`, cacheSize, 'must not be negative')]),
    ];
  });
}
