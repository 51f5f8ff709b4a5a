import {
  type FieldError,
  FieldErrors,
  isJsonObject,
  type JsonObject,
  type Schema,
  trimSpace,
  type Vocabulary,
} from '@ashlar/core';
import { fromOpenApiLeniently } from '../convert/from-openapi.ts';
import type { SchemaDocument } from '../convert/schema-document.ts';
import { isReadable } from './readability.ts';
import { readRuleFieldPath } from './rule-field-path.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const LINE_BREAK = /[\n\r]/;

/** Returns the errors of a schema's rules before their expressions are compiled (semantics/schemas#costs). */
export function ruleErrors(
  schema: SchemaDocument,
  path: string,
  vocabulary: Vocabulary,
): readonly FieldError[] {
  const keyword = schema.extension('validations');
  const rules = schema.json[keyword];
  if (!Array.isArray(rules)) return [];
  const leadsSomewhere = pathCheck(schema, vocabulary);
  return rules.filter(isJsonObject).flatMap((rule, index) => {
    const place = `${path}.${keyword}[${index}]`;
    return [
      ...textErrors(rule, place),
      ...reasonErrors(rule, place),
      ...fieldPathErrors(textOf(rule, 'fieldPath'), `${place}.fieldPath`, leadsSomewhere),
    ];
  });
}

const textOf = (rule: JsonObject, member: string): string => {
  const value = rule[member];
  return typeof value === 'string' ? value : '';
};

function textErrors(rule: JsonObject, place: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const expression = trimSpace(textOf(rule, 'rule'));
  const message = textOf(rule, 'message');
  if (expression === '') errors.push(FieldErrors.required(`${place}.rule`, 'rule is not specified'));
  else if (message !== '' && trimSpace(message) === '') {
    errors.push(FieldErrors.invalid(`${place}.message`, message, 'message must be non-empty if specified'));
  } else if (LINE_BREAK.test(trimSpace(message))) {
    errors.push(FieldErrors.invalid(`${place}.message`, message, 'message must not contain line breaks'));
  } else if (LINE_BREAK.test(expression) && trimSpace(message) === '') {
    const text = 'message must be specified if rule contains line breaks';
    errors.push(FieldErrors.required(`${place}.message`, text));
  }
  const messageExpression = textOf(rule, 'messageExpression');
  if (messageExpression !== '' && trimSpace(messageExpression) === '') {
    const text = 'messageExpression must be non-empty if specified';
    errors.push(FieldErrors.required(`${place}.messageExpression`, text));
  }
  return errors;
}

function reasonErrors(rule: JsonObject, place: string): readonly FieldError[] {
  const { reason } = rule;
  if (reason === undefined || reason === null || REASONS.includes(reason as string)) return [];
  return [FieldErrors.notSupported(`${place}.reason`, reason, REASONS)];
}

/** Whether a path resolves to a field; any does if the schema is invalid. */
function pathCheck(schema: SchemaDocument, vocabulary: Vocabulary): (fieldPath: string) => boolean {
  let shape: Schema | 'unreadable' | undefined;
  return (fieldPath) => {
    shape ??= isReadable(schema) ? fromOpenApiLeniently(schema.json, vocabulary) : 'unreadable';
    return shape === 'unreadable' || readRuleFieldPath(fieldPath, shape) !== undefined;
  };
}

function fieldPathErrors(
  fieldPath: string,
  place: string,
  leadsSomewhere: (fieldPath: string) => boolean,
): readonly FieldError[] {
  if (fieldPath === '') return [];
  const errors: FieldError[] = [];
  const invalid = (text: string): void => void errors.push(FieldErrors.invalid(place, fieldPath, text));
  if (trimSpace(fieldPath) === '') invalid('fieldPath must be non-empty if specified');
  if (LINE_BREAK.test(fieldPath)) invalid('fieldPath must not contain line breaks');
  if (!leadsSomewhere(fieldPath)) invalid('fieldPath must be a valid path');
  return errors;
}
