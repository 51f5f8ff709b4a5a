import type { RuleFailure } from '@ashlar/cel';
import { type FieldError, FieldErrors, type Schema } from '@ashlar/core';
import { readRuleFieldPath } from '@ashlar/schema';

/** The error of a failed rule, at its place or at the field that it names (semantics/schemas#rules). */
export function ruleError(failure: RuleFailure, path: string, schema: Schema): FieldError {
  const value = schema.type ?? '';
  if (!failure.violated && !failure.messageStopped)
    return FieldErrors.invalid(fieldOf(path), value, failure.detail);
  const field = fieldOf(withFieldPath(path, failure.rule.fieldPath, schema));
  switch (failure.violated ? failure.rule.reason : undefined) {
    case 'FieldValueForbidden':
      return FieldErrors.forbidden(field, failure.detail);
    case 'FieldValueRequired':
      return FieldErrors.required(field, failure.detail);
    case 'FieldValueDuplicate':
      return FieldErrors.duplicate(field, value);
    default:
      return FieldErrors.invalid(field, value, failure.detail);
  }
}

const fieldOf = (path: string): string => (path === '' ? '<nil>' : path);

/** A path that begins with the key of a map gets a dot too. */
function withFieldPath(path: string, fieldPath: string | undefined, schema: Schema): string {
  const inside = fieldPath ? readRuleFieldPath(fieldPath, schema) : undefined;
  if (!inside) return path;
  const way = inside.startsWith('.') ? inside.slice(1) : inside;
  return path === '' ? way : `${path}.${way}`;
}
