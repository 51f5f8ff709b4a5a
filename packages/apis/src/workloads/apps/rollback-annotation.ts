import {
  type ApiObject,
  type FieldError,
  integerErrorText,
  type JsonObject,
  ParseError,
  parseInt64,
} from '@ashlar/core';
import { withCanonicalMetadata } from '@ashlar/registry';
import { withEntry } from '../../types/sorted-map.ts';
import { invalidWhen } from '../field-rules.ts';

/** The revision to which a deployment is rolled back, which was a field once. */
const ROLLBACK = 'deprecated.deployment.rollback.to';

/** A deployment whose annotation is a revision in its shortest form, or none. @throws ParseError for every other text */
export function withReadableRollback(deployment: JsonObject): JsonObject {
  const object = deployment as unknown as ApiObject;
  const text = object.metadata?.annotations?.[ROLLBACK];
  if (text === undefined) return deployment;
  const { [ROLLBACK]: _, ...others } = object.metadata.annotations ?? {};
  const annotations = text === '' ? others : withEntry(others, ROLLBACK, revisionText(text));
  return withCanonicalMetadata(object, { annotations }) as unknown as JsonObject;
}

/** The error of a revision that cannot be. */
export function rollbackErrors({ metadata }: ApiObject): readonly FieldError[] {
  const revision = parseInt64(metadata.annotations?.[ROLLBACK] ?? '') ?? 0n;
  return invalidWhen(revision < 0n, 'spec.rollback.version', revision, 'must be greater than or equal to 0');
}

function revisionText(text: string): string {
  const revision = parseInt64(text);
  if (revision !== undefined) return `${revision}`;
  const why = integerErrorText('ParseInt', text);
  throw new ParseError(`failed to parse annotation[${ROLLBACK}]=${text} as int64: ${why}`);
}
