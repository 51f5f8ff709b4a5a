import { goQuote } from '@ashlar/core';
import type { MigrationCondition } from './migration-object.ts';

const TYPE = 'storagemigration.MigrationCondition';

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
] as const;

/** Conditions as an error shows them: in the syntax of Go. */
export function conditionsText(conditions: readonly MigrationCondition[] | undefined): string {
  return conditions === undefined
    ? `[]${TYPE}(nil)`
    : `[]${TYPE}{${conditions.map(conditionText).join(', ')}}`;
}

function conditionText({ type, status, lastUpdateTime, reason, message }: MigrationCondition): string {
  const quoted = (text = ''): string => goQuote(text);
  const texts = `Reason:${quoted(reason)}, Message:${quoted(message)}`;
  return `${TYPE}{Type:${quoted(type)}, Status:${quoted(status)}, LastUpdateTime:${timeText(lastUpdateTime)}, ${texts}}`;
}

function timeText(text: string | null | undefined): string {
  if (!text) return 'time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)';
  const date = new Date(text);
  const day = `${date.getUTCFullYear()}, time.${MONTHS[date.getUTCMonth()]}, ${date.getUTCDate()}`;
  const time = `${date.getUTCHours()}, ${date.getUTCMinutes()}, ${date.getUTCSeconds()}`;
  return `time.Date(${day}, ${time}, 0, time.Local)`;
}
