import { goQuote, StatusError } from '@ashlar/core';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { printFieldPath } from '../fieldpath/path-element.ts';
import type { Manager } from '../managed/managed-fields.ts';

/** Fields of another manager that an apply would change. */
export interface Conflict {
  readonly manager: Manager;
  readonly fields: FieldSet;
}

/** An apply without force that would change what others own. */
export class ApplyConflictError extends Error {
  override readonly name: string = 'ApplyConflictError';
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super('apply conflict');
    this.conflicts = conflicts;
  }

  /** The error without conflicts about these fields; undefined where none is left. */
  without(fields: FieldSet): ApplyConflictError | undefined {
    const left = this.conflicts.map(({ manager, fields: own }) => ({
      manager,
      fields: own.difference(fields),
    }));
    const conflicts = left.filter(({ fields: own }) => !own.isEmpty);
    return conflicts.length > 0 ? new ApplyConflictError(conflicts) : undefined;
  }

  /**
   * The refusal as clients see it: 409 with a cause for each field (semantics/status#apply-conflicts). Of very many fields the first are told: what a
   * path takes to be told is not bounded by what was sent.
   */
  toStatusError(): StatusError {
    const count = this.conflicts.reduce((sum, { fields }) => sum + fields.size, 0);
    const told = tellConflicts(this.conflicts);
    const causes = told.flatMap(({ who, fields }) =>
      fields.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${who}`, field })),
    );
    const message = `Apply failed with ${conflictText(told, count, count - causes.length)}`;
    return new StatusError({ code: 409, reason: 'Conflict', message, details: { causes } });
  }
}

/** Characters of paths and names of managers that are told. */
const MAXIMUM_TOLD = 256 * 1024;

interface ToldConflict {
  readonly who: string;
  readonly fields: string[];
}

/** At least one, and no more than fit. */
function tellConflicts(conflicts: readonly Conflict[]): readonly ToldConflict[] {
  const told: ToldConflict[] = [];
  let left = MAXIMUM_TOLD;
  for (const { manager, fields } of conflicts) {
    if (left <= 0) break;
    const conflict: ToldConflict = { who: printManager(manager), fields: [] };
    told.push(conflict);
    for (const path of fields.paths()) {
      const field = printFieldPath(path);
      conflict.fields.push(field);
      left -= field.length + conflict.who.length;
      if (left <= 0) break;
    }
  }
  return told;
}

function conflictText(told: readonly ToldConflict[], count: number, untold: number): string {
  const [first] = told;
  if (count === 1 && first) return `1 conflict: conflict with ${first.who}: ${first.fields[0]}`;
  const lines = told.flatMap(({ who, fields }) => [
    `conflicts with ${who}:`,
    ...fields.map((field) => `- ${field}`),
  ]);
  if (untold > 0) lines.push(`and ${untold} more`);
  return `${count} conflicts: ${lines.join('\n')}`;
}

/** `"curl" using v1`, `"m" with subresource "scale"`; appliers have no version. */
function printManager({ manager, operation, apiVersion, subresource }: Manager): string {
  const name = goQuote(manager);
  const whole = subresource === '' ? name : `${name} with subresource ${goQuote(subresource)}`;
  return operation === 'Update' ? `${whole} using ${apiVersion}` : whole;
}
