import { goQuote, type StatusCause, StatusError, type Steps } from '@ashlar/core';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { differenceSteps } from '../fieldpath/field-set-steps.ts';
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

  /** The error without conflicts about these fields, found with pauses; undefined if none remains. */
  *withoutSteps(fields: FieldSet): Steps<ApplyConflictError | undefined> {
    const conflicts: Conflict[] = [];
    for (const { manager, fields: own } of this.conflicts) {
      const left = yield* differenceSteps(own, fields);
      if (!left.isEmpty) conflicts.push({ manager, fields: left });
    }
    return conflicts.length > 0 ? new ApplyConflictError(conflicts) : undefined;
  }

  /**
   * Returns the response, made with pauses: 409 with a cause for each field (semantics/status#apply-conflicts). Of very many
   * fields the first are listed: the length of paths is not bounded by the request.
   */
  *statusErrorSteps(): Steps<StatusError> {
    let count = 0;
    for (const { fields } of this.conflicts) {
      count += fields.size;
      yield;
    }
    const listed = yield* listConflicts(this.conflicts);
    const causes = yield* causesOf(listed);
    const message = `Apply failed with ${yield* conflictText(listed, count, count - causes.length)}`;
    return new StatusError({ code: 409, reason: 'Conflict', message, details: { causes } });
  }
}

/** Maximum number of characters of listed paths and manager names. */
const MAXIMUM_MESSAGE_LENGTH = 256 * 1024;

/** Fields between two pauses. */
const FIELDS_PER_STEP = 1024;

interface ListedConflict {
  readonly who: string;
  readonly fields: string[];
}

/** At least one, and as many as fit. */
function* listConflicts(conflicts: readonly Conflict[]): Steps<readonly ListedConflict[]> {
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
      if (conflict.fields.length % FIELDS_PER_STEP === 0) yield;
    }
  }
  return listed;
}

function* causesOf(listed: readonly ListedConflict[]): Steps<readonly StatusCause[]> {
  const causes: StatusCause[] = [];
  for (const { who, fields } of listed) {
    const message = `conflict with ${who}`;
    for (const field of fields)
      if (causes.push({ reason: 'FieldManagerConflict', message, field }) % FIELDS_PER_STEP === 0) yield;
  }
  return causes;
}

function* conflictText(listed: readonly ListedConflict[], count: number, omitted: number): Steps<string> {
  const [first] = listed;
  if (count === 1 && first) return `1 conflict: conflict with ${first.who}: ${first.fields[0]}`;
  const lines: string[] = [];
  for (const { who, fields } of listed) {
    lines.push(`conflicts with ${who}:`);
    for (const field of fields) if (lines.push(`- ${field}`) % FIELDS_PER_STEP === 0) yield;
  }
  if (omitted > 0) lines.push(`and ${omitted} more`);
  return `${count} conflicts: ${lines.join('\n')}`;
}

/** `"curl" using v1`, `"m" with subresource "scale"`; appliers have no version. */
function printManager({ manager, operation, apiVersion, subresource }: Manager): string {
  const name = goQuote(manager);
  const qualifiedName = subresource === '' ? name : `${name} with subresource ${goQuote(subresource)}`;
  return operation === 'Update' ? `${qualifiedName} using ${apiVersion}` : qualifiedName;
}
