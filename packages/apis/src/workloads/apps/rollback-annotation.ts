import {
  type ApiObject,
  integerErrorText,
  type JsonObject,
  type JsonValue,
  ParseError,
  parseInt64,
} from '@ashlar/core';
import { withEntry } from '../../types/sorted-map.ts';

/** The revision to which a deployment is rolled back, which was a field once. */
const ROLLBACK = 'deprecated.deployment.rollback.to';

/** A deployment whose annotation is a revision in its shortest form, or none. @throws ParseError for every other text */
export function withReadableRollback(deployment: JsonObject): JsonObject {
  const { metadata } = deployment as unknown as ApiObject;
  const text = metadata?.annotations?.[ROLLBACK];
  if (text === undefined) return deployment;
  const { [ROLLBACK]: _, ...others } = metadata.annotations ?? {};
  const annotations = text === '' ? others : withEntry(others, ROLLBACK, revisionText(text));
  return { ...deployment, metadata: { ...metadata, annotations } as unknown as JsonValue };
}

function revisionText(text: string): string {
  const revision = parseInt64(text);
  if (revision !== undefined) return `${revision}`;
  const why = integerErrorText('ParseInt', text);
  throw new ParseError(`failed to parse annotation[${ROLLBACK}]=${text} as int64: ${why}`);
}
