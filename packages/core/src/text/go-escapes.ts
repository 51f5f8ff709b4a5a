/** The characters for which a letter or backslash after a backslash stands in strings of Go, which CEL and JSONPath took over. */
export const GO_ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};
