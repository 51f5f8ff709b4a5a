/** Maximum length of a name that is looked up. */
const LONGEST_NAME = 255;
/** The parts of every name begin with a capital letter. */
const NAME = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)*$/;
const WITH_DOTS = /^[A-Za-z0-9_+.-]+$/;

/** The error of the name of a time zone, which has the case of the database of time zones; undefined if there is such a zone. */
export function timeZoneError(name: string): string | undefined {
  if (isTimeZone(name)) return undefined;
  const isFile = name.length <= LONGEST_NAME && name !== '..' && name.includes('..') && WITH_DOTS.test(name);
  return isFile ? 'time: invalid location name' : `unknown time zone ${name}`;
}

function isTimeZone(name: string): boolean {
  if (name.length > LONGEST_NAME || !NAME.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // another one is the zone that this is another name of
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
