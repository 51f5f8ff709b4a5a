import { goQuote, StatusError } from '@ashlar/core';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { printFieldPath } from '../fieldpath/path-element.ts';
import type { Manager } from '../managed/manager.ts';

/** Fields of another manager that an apply would change. */
export interface Conflict {
  readonly manager: Manager;
  readonly fields: FieldSet;
}

/** An apply without force that would change fields of others. */
export class ApplyConflictError extends Error {
  override readonly name: string = 'ApplyConflictError';
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super('apply conflict');
    this.conflicts = conflicts;
  }

  /** The error without conflicts about these fields; undefined if none remains. */
  without(fields: FieldSet): ApplyConflictError | undefined {
    const left = this.conflicts.map(({ manager, fields: own }) => ({
      manager,
      fields: own.difference(fields),
    }));
    const conflicts = left.filter(({ fields: own }) => !own.isEmpty);
    return conflicts.length > 0 ? new ApplyConflictError(conflicts) : undefined;
  }

  /**
   * Returns the response: 409 with a cause for each field (semantics/status#apply-conflicts). Of very many
   * fields the first are listed: the length of paths is not bounded by the request.
   */
  toStatusError(): StatusError {
    const count = this.conflicts.reduce((sum, { fields }) => sum + fields.size, 0);
    const listed = listConflicts(this.conflicts);
    const causes = listed.flatMap(({ who, fields }) =>
      fields.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${who}`, field })),
    );
    const message = `Apply failed with ${conflictText(listed, count, count - causes.length)}`;
    return new StatusError({ code: 409, reason: 'Conflict', message, details: { causes } });
  }
}

/** Maximum number of characters of listed paths and manager names. */
const MAXIMUM_MESSAGE_LENGTH = 256 * 1024;

interface ListedConflict {
  readonly who: string;
  readonly fields: string[];
}

/** At least one, and as many as fit. */
function listConflicts(conflicts: readonly Conflict[]): readonly ListedConflict[] {
  const listed: ListedConflict[] = [];
  let left = MAXIMUM_MESSAGE_LENGTH;
  for (const { manager, fields } of conflicts) {
    if (left <= 0) break;
    const conflict: ListedConflict = { who: printManager(manager), fields: [] };
    listed.push(conflict);
    for (const path of fields.paths()) {
      const field = printFieldPath(path);
      conflict.fields.push(field);
      left -= field.length + conflict.who.length;
      if (left <= 0) break;
    }
  }
  return listed;
}

function conflictText(listed: readonly ListedConflict[], count: number, omitted: number): string {
  const [first] = listed;
  if (count === 1 && first) return `1 conflict: conflict with ${first.who}: ${first.fields[0]}`;
  const lines = listed.flatMap(({ who, fields }) => [
    `conflicts with ${who}:`,
    ...fields.map((field) => `- ${field}`),
  ]);
  if (omitted > 0) lines.push(`and ${omitted} more`);
  return `${count} conflicts: ${lines.join('\n')}`;
}

/** `"curl" using v1`, `"m" with subresource "scale"`; appliers have no version. */
function printManager({ manager, operation, apiVersion, subresource }: Manager): string {
  const name = goQuote(manager);
  const qualifiedName = subresource === '' ? name : `${name} with subresource ${goQuote(subresource)}`;
  return operation === 'Update' ? `${qualifiedName} using ${apiVersion}` : qualifiedName;
}
