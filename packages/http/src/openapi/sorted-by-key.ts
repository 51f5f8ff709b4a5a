import { type JsonObject, type JsonValue, type Steps, setMember, sortSteps } from '@ashlar/core';

/** Returns an object with its members sorted by key: paths and types of a document. */
export const sortedByKey = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Members that are added without a pause. */
const STRIDE = 1024;

/** The same of very many members, with pauses. */
export function* sortedByKeySteps(members: Iterable<readonly [string, JsonValue]>): Steps<JsonObject> {
  const entries = [...members];
  yield* sortSteps(entries, ([a], [b]) => (a < b ? -1 : 1));
  const sorted: Record<string, JsonValue> = {};
  for (const [index, [name, member]] of entries.entries()) {
    if (index % STRIDE === STRIDE - 1) yield;
    setMember(sorted, name, member);
  }
  return sorted;
}
