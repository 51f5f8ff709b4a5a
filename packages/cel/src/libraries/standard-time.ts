import { type FunctionDeclaration, method, type Overload } from '../check/declarations.ts';
import { types } from '../check/types.ts';
import { inZone } from '../values/time.ts';
import { type Duration, EvaluationError, type Timestamp, type Value } from '../values/values.ts';

const { int, string, timestamp, duration } = types;

type ReadCalendar = (calendar: Date, timestamp: Timestamp) => number;

/** A calendar field, in UTC or in a zone. */
function calendarPart(id: string, read: ReadCalendar, zonedId: string = `${id}_with_tz`): Overload[] {
  const inUtc = (moment: Timestamp): Value => read(inZone(moment, '') as Date, moment);
  const zoned = (moment: Timestamp, zone: string): Value => {
    const calendar = inZone(moment, zone);
    return calendar ? read(calendar, moment) : new EvaluationError(`unknown time zone ${zone}`);
  };
  return [method(id, [timestamp], int, inUtc), method(zonedId, [timestamp, string], int, zoned)];
}

/** Whole units in a duration. */
function durationPart(id: string, seconds: number): Overload {
  return method(id, [duration], int, (span: Duration) => Math.trunc(span.seconds / seconds) + 0);
}

const dayOfYear = (calendar: Date): number => {
  const first = new Date(0);
  first.setUTCFullYear(calendar.getUTCFullYear());
  const days = (date: Date): number => Math.floor(date.getTime() / 86_400_000);
  return days(calendar) - days(first);
};

/** Fields of timestamps and durations. */
export const timeFunctions: readonly FunctionDeclaration[] = [
  { name: 'getFullYear', overloads: calendarPart('timestamp_to_year', (c) => c.getUTCFullYear()) },
  { name: 'getMonth', overloads: calendarPart('timestamp_to_month', (c) => c.getUTCMonth()) },
  { name: 'getDayOfYear', overloads: calendarPart('timestamp_to_day_of_year', dayOfYear) },
  { name: 'getDayOfMonth', overloads: calendarPart('timestamp_to_day_of_month', (c) => c.getUTCDate() - 1) },
  { name: 'getDate', overloads: calendarPart('timestamp_to_day_of_month_1_based', (c) => c.getUTCDate()) },
  { name: 'getDayOfWeek', overloads: calendarPart('timestamp_to_day_of_week', (c) => c.getUTCDay()) },
  {
    name: 'getHours',
    overloads: [
      ...calendarPart('timestamp_to_hours', (c) => c.getUTCHours()),
      durationPart('duration_to_hours', 3600),
    ],
  },
  {
    name: 'getMinutes',
    overloads: [
      ...calendarPart('timestamp_to_minutes', (c) => c.getUTCMinutes()),
      durationPart('duration_to_minutes', 60),
    ],
  },
  {
    name: 'getSeconds',
    overloads: [
      ...calendarPart('timestamp_to_seconds', (c) => c.getUTCSeconds(), 'timestamp_to_seconds_tz'),
      durationPart('duration_to_seconds', 1),
    ],
  },
  {
    name: 'getMilliseconds',
    overloads: [
      ...calendarPart('timestamp_to_milliseconds', (_, moment) => Math.floor(moment.nanos / 1e6)),
      method(
        'duration_to_milliseconds',
        [duration],
        int,
        (span: Duration) => span.seconds * 1000 + Math.trunc(span.nanos / 1e6),
      ),
    ],
  },
];
