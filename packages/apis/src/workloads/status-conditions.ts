import { type FieldError, FieldErrors, qualifiedNameErrors, utf8Length } from '@ashlar/core';
import { each, follows, invalidWhen, requiredWhen } from './field-rules.ts';

/** A condition of a status, as most kinds have them. */
export interface StatusCondition {
  readonly type?: string;
  readonly status?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

const CONDITIONS = 'status.conditions';
const STATUSES: readonly string[] = ['False', 'True', 'Unknown'];
/** In bytes. */
const MAXIMUM_REASON = 1024;
const MAXIMUM_MESSAGE = 32_768;

/** Errors of `status.conditions`. */
export function statusConditionErrors(conditions: readonly StatusCondition[] = []): readonly FieldError[] {
  const seen = new Set<string>();
  return each(CONDITIONS, conditions, (condition, path) => {
    const { type = '' } = condition;
    const isRepeated = seen.has(type);
    seen.add(type);
    return [
      ...(isRepeated ? [FieldErrors.duplicate(`${path}.type`, type)] : []),
      ...conditionErrors(condition, path),
    ];
  });
}

function conditionErrors(
  {
    type = '',
    status = '',
    observedGeneration = 0,
    lastTransitionTime,
    reason = '',
    message = '',
  }: StatusCondition,
  path: string,
): readonly FieldError[] {
  const generation = `${path}.observedGeneration`;
  return [
    ...follows(`${path}.type`, type, qualifiedNameErrors),
    ...(STATUSES.includes(status) ? [] : [FieldErrors.notSupported(`${path}.status`, status, STATUSES)]),
    ...invalidWhen(
      observedGeneration < 0,
      generation,
      observedGeneration,
      'must be greater than or equal to zero',
    ),
    ...requiredWhen(!lastTransitionTime, `${path}.lastTransitionTime`, 'must be set'),
    ...reasonErrors(`${path}.reason`, reason),
    ...lengthErrors(`${path}.message`, message, MAXIMUM_MESSAGE),
  ];
}

const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const REASON_PATTERN = new RegExp(`^${REASON}$`);
const REASON_ERROR = `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${REASON}')`;

function reasonErrors(path: string, reason: string): readonly FieldError[] {
  if (reason === '') return requiredWhen(true, path, 'must be set');
  return [
    ...invalidWhen(!REASON_PATTERN.test(reason), path, reason, REASON_ERROR),
    ...lengthErrors(path, reason, MAXIMUM_REASON),
  ];
}

const lengthErrors = (path: string, text: string, maximum: number): readonly FieldError[] =>
  utf8Length(text) > maximum ? [FieldErrors.tooLong(path, maximum)] : [];
