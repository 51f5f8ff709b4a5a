import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { type Answered, comparable } from '../projects/peer.ts';

/**
 * The comparable parts of a review. Of several bindings that allow any one may be named; errors are
 * unordered.
 */
export function comparedReview(answered: Answered): JsonObject {
  const { status, body } = answered;
  if (!isJsonObject(body.status) || body.kind === 'Status') return comparable(answered);
  const { allowed, denied, reason, evaluationError } = body.status;
  return {
    status,
    ...{ allowed: allowed ?? null, denied: denied ?? false },
    why: allowed === true ? kindOfReason(String(reason)) : sortedErrors(reason),
    error: sortedErrors(evaluationError),
  };
}

const kindOfReason = (reason: string): string => reason.replace(/ "[^"]*"/g, '').replace(/ to \w+$/, '');

const sortedErrors = (text: JsonValue | undefined): string =>
  String(text ?? '')
    .replace(/[[\]]/g, '')
    .replace(/^RBAC: /, '')
    .split(', ')
    .sort()
    .join(', ');

/** Rules of a user, unordered. */
export function comparedRules(answered: Answered): JsonObject {
  const { status, body } = answered;
  if (!isJsonObject(body.status) || body.kind === 'Status') return comparable(answered);
  const { resourceRules, nonResourceRules, incomplete, evaluationError } = body.status;
  return {
    ...{ status, incomplete: incomplete ?? null, error: sortedErrors(evaluationError) },
    ...{ resourceRules: sorted(resourceRules), nonResourceRules: sorted(nonResourceRules) },
  };
}

const sorted = (list: JsonValue | undefined): JsonValue =>
  (Array.isArray(list) ? list : [])
    .map((item) => JSON.stringify(item, Object.keys(item as JsonObject).sort()))
    .sort();
