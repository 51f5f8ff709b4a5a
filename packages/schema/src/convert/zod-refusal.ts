/** An error that names the path in a zod type; empty for the root. */
export function refusal(path: string, why: string): TypeError {
  return new TypeError(`zod type of ${path === '' ? 'the root' : path}: ${why}`);
}

/** Types that have no form in JSON, or that make another value of what is sent, and what to use in their place. */
export const REFUSED_TYPES: Readonly<Record<string, string>> = {
  date: 'a date has no form in JSON: use z.iso.datetime()',
  bigint: 'a bigint has no form in JSON: use z.int(), or z.string() for larger numbers',
  tuple: 'a tuple cannot be expressed: use z.object with a name for each part, or z.array',
  map: 'a map has no form in JSON: use z.record',
  set: 'a set has no form in JSON: use z.array(…).meta({ listType: "set" })',
  transform:
    'a transformation makes another value of what was sent: store what is sent, and convert where it is read',
  catch: '.catch accepts every value: use .default for absent ones',
  custom: 'z.custom and z.instanceof name no type: use z.unknown().refine(…)',
  nan: 'NaN has no form in JSON',
  undefined: 'undefined has no form in JSON: use .optional()',
  void: 'void has no form in JSON: use .optional()',
  symbol: 'a symbol has no form in JSON',
  function: 'a function has no form in JSON',
  promise: 'a promise has no form in JSON',
  file: 'a file has no form in JSON: use z.base64()',
  success: 'z.success makes another value of what was sent: use the type itself',
  never: 'no value is allowed',
};
