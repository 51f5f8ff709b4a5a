import { type FieldError, FieldErrors } from '@ashlar/core';

/**
 * Options of list, watch and deletecollection in the query (semantics/list-and-watch#label-selectors,
 * #watch). Empty values count as absent.
 */
export interface ListOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly watch?: boolean;
  readonly allowWatchBookmarks?: boolean;
  readonly resourceVersion?: string;
  /** `Exact`, `NotOlderThan`. */
  readonly resourceVersionMatch?: string;
  readonly timeoutSeconds?: number;
  readonly limit?: number;
  readonly continue?: string;
  readonly sendInitialEvents?: boolean;
}

const MATCH = 'resourceVersionMatch';

/** Validates the options of a list, or of a watch where `watch` is set; several errors accumulate (semantics/list-and-watch#option-validation). */
export function validateListOptions(options: ListOptions): readonly FieldError[] {
  if (options.watch) return validateWatchOptions(options);
  const initial = options.sendInitialEvents === undefined;
  return [
    ...matchErrors(options),
    ...(initial
      ? []
      : [FieldErrors.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')]),
  ];
}

function matchErrors({
  resourceVersionMatch: match = '',
  resourceVersion = '',
  ...options
}: ListOptions): FieldError[] {
  if (match === '') return [];
  const errors: FieldError[] = [];
  if (resourceVersion === '') errors.push(forbidden('is forbidden unless resourceVersion is provided'));
  if (options.continue) errors.push(forbidden('is forbidden when continue is provided'));
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    errors.push(FieldErrors.notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']));
  }
  if (match === 'Exact' && resourceVersion === '0') {
    errors.push(forbidden('"exact" is forbidden for resourceVersion "0"'));
  }
  return errors;
}

function validateWatchOptions({
  resourceVersionMatch: match = '',
  sendInitialEvents,
  ...options
}: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    const why = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
    errors.push(FieldErrors.forbidden(MATCH, why));
  }
  if (match === '') return errors;
  if (sendInitialEvents === undefined) {
    errors.push(forbidden('is forbidden for watch unless sendInitialEvents is provided'));
  }
  if (match !== 'NotOlderThan') errors.push(FieldErrors.notSupported(MATCH, match, ['NotOlderThan']));
  if (options.continue) errors.push(forbidden('is forbidden when continue is provided'));
  return errors;
}

const forbidden = (why: string): FieldError => FieldErrors.forbidden(MATCH, `${MATCH} ${why}`);
