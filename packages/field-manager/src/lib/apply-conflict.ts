import { goQuote, StatusError } from '@ashlar/core';
import type { FieldSet } from './field-set.ts';
import type { Manager } from './managed-fields.ts';
import { printFieldPath } from './path-element.ts';

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

  /** The refusal as clients see it: 409 with a cause for each field (semantics A5). */
  toStatusError(): StatusError {
    const conflicts = this.conflicts.flatMap(({ manager, fields }) =>
      [...fields.paths()].map((path) => ({ who: printManager(manager), field: printFieldPath(path) })),
    );
    const causes = conflicts.map(({ who, field }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${who}`,
      field,
    }));
    const message = `Apply failed with ${conflictText(this.conflicts, conflicts.length)}`;
    return new StatusError({ code: 409, reason: 'Conflict', message, details: { causes } });
  }
}

function conflictText(conflicts: readonly Conflict[], count: number): string {
  const [first] = conflicts;
  if (count === 1 && first) {
    const [path = []] = first.fields.paths();
    return `1 conflict: conflict with ${printManager(first.manager)}: ${printFieldPath(path)}`;
  }
  const lines = conflicts.flatMap(({ manager, fields }) => [
    `conflicts with ${printManager(manager)}:`,
    ...[...fields.paths()].map((path) => `- ${printFieldPath(path)}`),
  ]);
  return `${count} conflicts: ${lines.join('\n')}`;
}

/** `"curl" using v1`, `"m" with subresource "scale"`; appliers have no version. */
function printManager({ manager, operation, apiVersion, subresource }: Manager): string {
  const name = goQuote(manager);
  const whole = subresource === '' ? name : `${name} with subresource ${goQuote(subresource)}`;
  return operation === 'Update' ? `${whole} using ${apiVersion}` : whole;
}
