import { type FieldError, FieldErrors, goQuote, integerErrorText, parseInt64 } from '@ashlar/core';
import { contradictionWhen, invalidWhen, requiredWhen } from '../field-rules.ts';
import { type StatusCondition, statusConditionErrors } from '../status-conditions.ts';
import { conditionsText } from './conditions-text.ts';
import type { MigrationCondition, StorageVersionMigration } from './migration-object.ts';

/** Errors of a migration. */
export function migrationErrors({ spec = {} }: StorageVersionMigration): readonly FieldError[] {
  const { resource, version } = spec.resource ?? {};
  return [
    ...requiredWhen(!resource, 'spec.resource.resource', 'resource is required'),
    ...requiredWhen(!version, 'spec.resource.version', 'version is required'),
  ];
}

/** Errors of a changed migration: its resource stays. */
export function migrationUpdateErrors(
  { spec }: StorageVersionMigration,
  { spec: stored }: StorageVersionMigration,
): readonly FieldError[] {
  return (['group', 'version', 'resource'] as const).flatMap((name) => {
    const value = spec?.resource?.[name] ?? '';
    return invalidWhen(value !== (stored?.resource?.[name] ?? ''), name, value, 'field is immutable');
  });
}

const VERSION = 'status.resourceVersion';
const CONDITIONS = 'status.conditions';

/** Errors of a changed status: a migration that succeeded or failed stays so. */
export function migrationStatusErrors(
  { status = {} }: StorageVersionMigration,
  { status: stored = {} }: StorageVersionMigration,
): readonly FieldError[] {
  const { resourceVersion = '', conditions = [] } = status;
  const before = stored.resourceVersion ?? '';
  const holds = (type: string, of = conditions): boolean =>
    of.find((condition) => condition.type === type)?.status === 'True';
  const [succeeded, failed, running] = [holds('Succeeded'), holds('Failed'), holds('Running')];
  const lost = (type: string): boolean => holds(type, stored.conditions ?? []) && !holds(type);
  const contradiction = (isThere: boolean, why: string): readonly FieldError[] =>
    contradictionWhen(isThere, CONDITIONS, `${conditionsText(status.conditions)}: ${why}`);
  return [
    ...resourceVersionErrors(resourceVersion),
    ...statusConditionErrors(asConditions(conditions)),
    ...invalidWhen(
      before !== '' && before !== resourceVersion,
      VERSION,
      resourceVersion,
      'resourceVersion cannot be updated',
    ),
    ...contradiction(
      succeeded && failed,
      'Both success and failed conditions cannot be true at the same time',
    ),
    ...contradiction(succeeded && running, 'Running condition cannot be true when success condition is true'),
    ...contradiction(failed && running, 'Running condition cannot be true when failed condition is true'),
    ...contradiction(lost('Succeeded'), 'Success condition cannot be set to false once it is true'),
    ...contradiction(lost('Failed'), 'Failed condition cannot be set to false once it is true'),
  ];
}

function resourceVersionErrors(text: string): readonly FieldError[] {
  if (text === '') return [];
  const value = parseInt64(text);
  if (value !== undefined)
    return invalidWhen(value < 0n, VERSION, Number(value), 'must be greater than or equal to 0');
  const why = `failed to parse resource version ${goQuote(text)}: ${integerErrorText('ParseInt', text)}`;
  return [FieldErrors.invalid(VERSION, text, why)];
}

/** Conditions of migrations have another name for the time, which errors call as in all others. */
const asConditions = (conditions: readonly MigrationCondition[]): readonly StatusCondition[] =>
  conditions.map(({ lastUpdateTime, ...rest }) => ({ ...rest, lastTransitionTime: lastUpdateTime ?? null }));
