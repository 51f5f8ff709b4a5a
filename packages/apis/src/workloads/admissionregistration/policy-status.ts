import { type ApiObject, type FieldError, FieldErrors, trimSpace } from '@ashlar/core';
import { compileJsonPath } from '@ashlar/schema';
import { each, required } from '../field-rules.ts';
import { type StatusCondition, statusConditionErrors } from '../status-conditions.ts';

/** The status of a policy: what checking the types of its expressions found. */
export interface CheckedPolicy extends ApiObject {
  readonly status?: {
    readonly typeChecking?: {
      readonly expressionWarnings?: readonly { readonly fieldRef?: string; readonly warning?: string }[];
    };
    readonly conditions?: readonly StatusCondition[];
  };
}

/** Errors of the status of a policy. */
export function policyStatusErrors({ status = {} }: CheckedPolicy): readonly FieldError[] {
  const warnings = status.typeChecking?.expressionWarnings ?? [];
  return [
    ...each('status.typeChecking.expressionWarnings', warnings, ({ fieldRef = '', warning }, path) => [
      ...required(`${path}.warning`, warning),
      ...fieldReferenceErrors(`${path}.fieldRef`, trimSpace(fieldRef)),
    ]),
    ...statusConditionErrors(status.conditions),
  ];
}

function fieldReferenceErrors(path: string, reference: string): readonly FieldError[] {
  if (reference === '') return [FieldErrors.required(path)];
  try {
    compileJsonPath(`{${reference}}`);
    return [];
  } catch (error) {
    return [FieldErrors.invalid(path, reference, `invalid JSONPath: ${(error as Error).message}`)];
  }
}
