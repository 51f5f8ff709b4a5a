import { type ApiObject, isJsonObject, type JsonValue } from '@ashlar/core';

/** How many fields are named at most. */
const MAXIMUM_NAMED = 5;

/** Names the fields that differ between two objects, null as if it were absent: `spec.replicas, metadata.labels.team and 2 more`. */
export function changedFields(before: ApiObject, after: ApiObject): string {
  const fields: string[] = [];
  collect(before as unknown as JsonValue, after as unknown as JsonValue, '', fields);
  const rest = fields.length - MAXIMUM_NAMED;
  const named = fields.slice(0, MAXIMUM_NAMED).join(', ');
  return rest > 0 ? `${named} and ${rest} more` : named;
}

function collect(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
  found: string[],
): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index++)
      collect(before[index], after[index], `${path}[${index}]`, found);
  } else if (isJsonObject(before) && isJsonObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      collect(before[name], after[name], memberOf(path, name), found);
  } else if ((before ?? null) !== (after ?? null)) found.push(path);
}

/** Names with other characters, such as those of labels, are quoted. */
function memberOf(path: string, name: string): string {
  if (!/^\w+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}
