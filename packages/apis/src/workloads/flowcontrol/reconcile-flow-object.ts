import { type ApiObject, type JsonValue, jsonEqual, type Vocabulary } from '@ashlar/core';
import { autoUpdateAnnotation } from './default-flow-objects.ts';

interface WithSpec extends ApiObject {
  readonly spec?: unknown;
}

/**
 * Returns a stored object with the spec and the annotation that the server wants it to have; undefined if it has them already
 * (semantics/lifecycle#flow-control-objects).
 */
export function reconcileFlowObject<T extends WithSpec>(
  stored: T,
  expected: T,
  { isMandatory, vocabulary }: { readonly isMandatory: boolean; readonly vocabulary: Vocabulary },
): T | undefined {
  const name = autoUpdateAnnotation(vocabulary);
  const isRestored = isMandatory || isMaintained(stored, name);
  const isAnnotated = booleanOf(stored.metadata.annotations?.[name]) === isRestored;
  const isChanged = isRestored && !jsonEqual(specOf(expected, stored), (stored.spec ?? null) as JsonValue);
  if (isAnnotated && !isChanged) return undefined;
  const annotations = { ...stored.metadata.annotations, ...(!isAnnotated && { [name]: String(isRestored) }) };
  const metadata = { ...stored.metadata, annotations };
  return { ...stored, metadata, ...(isChanged && { spec: expected.spec }) };
}

/** Whether the server removes an object that it no longer creates: one that it maintains. */
export const isAbandoned = ({ metadata }: ApiObject, vocabulary: Vocabulary): boolean =>
  booleanOf(metadata.annotations?.[autoUpdateAnnotation(vocabulary)]) === true;

/** Without a valid annotation an object is maintained until it is changed. */
const isMaintained = ({ metadata }: ApiObject, annotation: string): boolean =>
  booleanOf(metadata.annotations?.[annotation]) ?? metadata.generation === 1;

/** The wanted spec; the shares of the exempt priority are those of operators. */
function specOf(expected: WithSpec, stored: WithSpec): JsonValue {
  const spec = expected.spec as Readonly<Record<string, JsonValue>>;
  const { exempt } = (stored.spec ?? {}) as Readonly<Record<string, JsonValue>>;
  return spec.exempt && exempt ? { ...spec, exempt } : spec;
}

const TRUE = ['1', 't', 'T', 'true', 'TRUE', 'True'];
const FALSE = ['0', 'f', 'F', 'false', 'FALSE', 'False'];

function booleanOf(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (TRUE.includes(text)) return true;
  return FALSE.includes(text) ? false : undefined;
}
