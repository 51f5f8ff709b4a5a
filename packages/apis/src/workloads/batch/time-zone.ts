import { timeZoneNames } from './time-zone-names.ts';

/** Maximum length of a name that is looked at in parts. */
const LONGEST_NAME = 255;
/** The zone of the machine that runs the server, whichever that is. */
const MACHINE = 'Local';
/** What a field may have between its slashes. */
const PART = /^[A-Za-z0-9_+.-]{1,14}$/;

/** The error of the name of a time zone, which has the case of the database of time zones; undefined if there is such a zone. */
export function timeZoneError(name: string): string | undefined {
  const isUsual = name.length <= LONGEST_NAME && name.split('/').every(isUsualPart);
  return isUsual ? locationError(name) : `unknown time zone ${name}`;
}

const isUsualPart = (part: string): boolean =>
  PART.test(part) && part !== '.' && part !== '..' && !part.startsWith('-');

/** The same of a name within a schedule, whose parts are not looked at before. */
export function locationError(name: string): string | undefined {
  if (name === MACHINE || isTimeZone(name)) return undefined;
  const isPath = name.includes('..') || name.startsWith('/') || name.startsWith('\\');
  return isPath ? 'time: invalid location name' : `unknown time zone ${name}`;
}

/** Later databases have more names, of which the engine may know. */
const isTimeZone = (name: string): boolean =>
  timeZoneNames().has(name) || Intl.supportedValuesOf('timeZone').includes(name);
