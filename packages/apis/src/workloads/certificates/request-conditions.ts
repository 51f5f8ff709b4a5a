import { type FieldError, FieldErrors, requiredChoiceErrors } from '@ashlar/core';
import { each, invalidWhen, NO_ERRORS, requiredWhen } from '../field-rules.ts';
import type { RequestCondition, SigningRequest } from './signing-request-types.ts';

const PATH = 'status.conditions';
/** What becomes of a request: conditions that are true for good. */
const FINAL = ['Approved', 'Denied', 'Failed'];

type Conditions = readonly RequestCondition[];

const conditionsOf = ({ status }: SigningRequest): Conditions => status?.conditions ?? [];

/** Errors of the conditions of a request. Stored conditions that break a rule may do so again. */
export function conditionErrors(object: SigningRequest, stored: SigningRequest): readonly FieldError[] {
  const before = conditionsOf(stored);
  const seen = new Set<string>();
  const allows = {
    empty: before.some(({ type }) => !type),
    both: isBoth(new Set(before.map(({ type }) => type))),
    repeated: new Set(before.map(({ type }) => type)).size < before.length,
  };
  const why = 'Approved and Denied conditions are mutually exclusive';
  return each(PATH, conditionsOf(object), ({ type = '', status }, path) => {
    const isRepeated = seen.has(type);
    seen.add(type);
    const excludes = isDecision(type) && isBoth(seen);
    return [
      ...requiredWhen(!(type || allows.empty), `${path}.type`),
      ...requiredChoiceErrors(
        `${path}.status`,
        status,
        FINAL.includes(type) ? ['True'] : ['False', 'True', 'Unknown'],
      ),
      ...invalidWhen(excludes && !allows.both, `${path}.type`, type, why),
      ...(isRepeated && !allows.repeated ? [FieldErrors.duplicate(`${path}.type`, type)] : NO_ERRORS),
    ];
  });
}

const isDecision = (type: string): boolean => type === 'Approved' || type === 'Denied';

const isBoth = (types: ReadonlySet<string | undefined>): boolean =>
  types.has('Approved') && types.has('Denied');

/**
 * Errors of conditions that an update takes away.
 * @param forbidden those that the endpoint may not add
 */
export function conditionChangeErrors(
  object: SigningRequest,
  stored: SigningRequest,
  forbidden: readonly string[],
): readonly FieldError[] {
  const added = (type: string): number =>
    countOf(conditionsOf(object), type) - countOf(conditionsOf(stored), type);
  return [
    ...FINAL.filter((type) => added(type) < 0).map((type) =>
      FieldErrors.forbidden(PATH, `updates may not remove a condition of type "${type}"`),
    ),
    ...forbidden
      .filter((type) => added(type) > 0)
      .map((type) => FieldErrors.forbidden(PATH, `updates may not add a condition of type "${type}"`)),
  ];
}

const countOf = (conditions: Conditions, wanted: string): number =>
  conditions.filter(({ type }) => type === wanted).length;
