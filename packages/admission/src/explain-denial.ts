import { type StatusCause, StatusError } from '@ashlar/core';
import type { AdmissionRequest } from './admission-request.ts';
import { type ExplainedExpression, outcomeText, placeText } from './expressions/explanation.ts';

/** Maximum number of characters of one cause: values can be large. */
const MAXIMUM_CAUSE = 1024;

/** Maximum number of expressions that a denial lists. */
const MAXIMUM_EXPRESSIONS = 100;

/** What refused a request. */
export const refusedBy = (
  reason: 'AdmissionPlugin' | 'AdmissionPolicy' | 'AdmissionWebhook',
  message: string,
): StatusCause => ({ reason, message });

export const refusedByWebhook = (name: string, configuration: string): StatusCause =>
  refusedBy(
    'AdmissionWebhook',
    `webhook ${JSON.stringify(name)} of configuration ${JSON.stringify(configuration)}`,
  );

/** The expressions of a policy with their values, as causes. */
export const expressionCauses = (expressions: readonly ExplainedExpression[]): readonly StatusCause[] =>
  expressions.slice(0, MAXIMUM_EXPRESSIONS).map((each) => ({
    reason: 'AdmissionExpression',
    message: shortened(outcomeText(each)),
    field: placeText(each),
  }));

const shortened = (text: string): string =>
  text.length <= MAXIMUM_CAUSE ? text : `${text.slice(0, MAXIMUM_CAUSE)}…`;

/** Adds causes to the denial of a request whose caller may see explanations; returns other errors unchanged. */
export function explainedDenial(
  request: AdmissionRequest,
  error: unknown,
  causes: () => readonly StatusCause[],
): unknown {
  if (!request.explains || !StatusError.is(error)) return error;
  const { code, reason, message, details, metadata } = error;
  const all = [...(details?.causes ?? []), ...causes()];
  return new StatusError(
    { code, reason, message, details: { ...details, causes: all }, ...(metadata && { metadata }) },
    error.cause,
  );
}
