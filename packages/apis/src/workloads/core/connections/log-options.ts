import {
  type FieldError,
  FieldErrors,
  integerErrorText,
  ParseError,
  parseInt64,
  RFC3339_LAYOUT,
  readZonedTime,
  type Schema,
  StatusError,
} from '@ashlar/core';
import type { ConnectionParameters } from '@ashlar/registry';
import { boolean, int64, string, type } from '../../../types/schema-fields.ts';
import { forbiddenWhen, invalidWhen } from '../../field-rules.ts';

/** Query parameters of `log`, which admission does not see. */
export const logParameters: Schema = type('api.core.v1.PodLogOptions', {
  container: string(1, 'The container; by default the only one.'),
  follow: boolean(2, 'Whether what is written later follows.'),
  previous: boolean(3, 'Whether those of the container that ended before are meant.'),
  sinceSeconds: int64(4, 'From how many seconds ago.'),
  timestamps: boolean(6, 'Whether each line begins with its time.'),
  tailLines: int64(7, 'How many of the last lines.'),
  limitBytes: int64(8, 'How many bytes at most.'),
  insecureSkipTLSVerifyBackend: boolean(9, 'Whether the certificate of the node is not checked.'),
  stream: string(10, 'Which of the streams: Stdout, Stderr or All.'),
});

/** @throws StatusError 400 for what cannot be read, 422 for what may not be */
export function requireLogOptions(parameters: ConnectionParameters, name: string): void {
  // the first that cannot be read is told, in the order of the fields
  const sinceSeconds = integerOf(parameters, 'sinceSeconds');
  const sinceTime = timeOf(parameters, 'sinceTime');
  const tailLines = integerOf(parameters, 'tailLines');
  const limitBytes = integerOf(parameters, 'limitBytes');
  const errors: readonly FieldError[] = [
    ...atLeast('tailLines', tailLines, 0n),
    ...atLeast('limitBytes', limitBytes, 1n),
    ...(sinceTime && sinceSeconds !== undefined
      ? [TWO_BEGINNINGS]
      : atLeast('sinceSeconds', sinceSeconds, 1n)),
    // a container has one log in this release
    ...forbiddenWhen(parameters.all('stream').length > 0, 'stream', 'may not be specified'),
  ];
  if (errors.length > 0) throw StatusError.invalid('', 'PodLogOptions', name, errors);
}

const TWO_BEGINNINGS = FieldErrors.forbidden(
  '[]',
  'at most one of `sinceTime` or `sinceSeconds` may be specified',
);

function integerOf(parameters: ConnectionParameters, name: string): bigint | undefined {
  const [text] = parameters.all(name);
  if (text === undefined) return undefined;
  const value = parseInt64(text);
  if (value !== undefined) return value;
  throw StatusError.badRequest(integerErrorText('ParseInt', text));
}

/** Whether there is a time, which may be empty. */
function timeOf(parameters: ConnectionParameters, name: string): boolean {
  const [text] = parameters.all(name);
  if (!text || text === 'null') return text !== undefined;
  try {
    readZonedTime(text, RFC3339_LAYOUT);
    return true;
  } catch (error) {
    throw ParseError.is(error) ? StatusError.badRequest(error.message) : error;
  }
}

function atLeast(field: string, value: bigint | undefined, minimum: bigint): readonly FieldError[] {
  const why = minimum === 0n ? 'must be greater than or equal to 0' : 'must be greater than 0';
  return invalidWhen(value !== undefined && value < minimum, field, value, why);
}
