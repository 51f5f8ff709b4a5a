import type { Attack } from '../attack.ts';
import { ACCESS_REVIEWS, listed, posted } from '../bodies.ts';

function ofUser(name: string, sends: string, n: number, body: (n: number) => string): Attack {
  return posted('user', ACCESS_REVIEWS, 'application/yaml', name, sends, n, body);
}

/** The largest body has about 3 MB. */
export const attacks: readonly Attack[] = [
  ofUser('repeated keys', 'a: 1, 500,000 times', 125_000, (n) => 'a: 1\n'.repeat(n)),
  ofUser('keys', 'as many keys as fit', 80_000, (n) => listed(n, (i) => `${i.toString(36)}: 1`, '\n')),
  ofUser('list', 'items of one letter', 180_000, (n) => '- a\n'.repeat(n)),
  ofUser('empty items', 'items of nothing', 250_000, (n) => '-\n'.repeat(n)),
  ofUser('nested items', 'lists in lists in one line', 300_000, (n) => '- '.repeat(n)),
  ofUser('nested flow', 'brackets', 700_000, (n) => '['.repeat(n)),
  ofUser('nested flow maps', 'braces', 700_000, (n) => '{'.repeat(n)),
  ofUser('flow list', 'items in brackets', 350_000, (n) => `[${'a,'.repeat(n)}]`),
  ofUser('flow maps', 'empty maps in brackets', 230_000, (n) => `[${'{},'.repeat(n)}]`),
  ofUser('question marks', 'explicit keys', 350_000, (n) => '? '.repeat(n)),
  ofUser('explicit keys', 'explicit keys in lines', 180_000, (n) => '? a\n'.repeat(n)),
  ofUser('colons', 'colons', 700_000, (n) => ':'.repeat(n)),
  ofUser('colons and spaces', 'colons with spaces', 350_000, (n) => ': '.repeat(n)),
  ofUser('indentation', 'ever deeper', 600, (n) => listed(n, (i) => `${' '.repeat(i)}a:`, '\n')),
  ofUser('spaces', 'spaces before a word', 700_000, (n) => `${' '.repeat(n)}a`),
  ofUser('spaces after', 'words with spaces between', 350_000, (n) => `a: ${'b '.repeat(n)}`),
  ofUser('many spaces in a scalar', 'a word, spaces, a word', 700_000, (n) => `a: b${' '.repeat(n)}c`),
  ofUser('comments', 'comment lines', 250_000, (n) => '#a\n'.repeat(n)),
  ofUser('hashes', 'hashes', 700_000, (n) => `a: ${'#'.repeat(n)}`),
  ofUser('blank lines', 'lines of nothing', 700_000, (n) => `a: b${'\n'.repeat(n)}c: d`),
  ofUser(
    'blank lines in a text',
    'a folded text of blank lines',
    700_000,
    (n) => `a: >\n  b${'\n'.repeat(n)}  c`,
  ),
  ofUser('literal', 'a literal of short lines', 180_000, (n) => `a: |\n${'  b\n'.repeat(n)}`),
  ofUser(
    'literal of blank lines',
    'a literal of blank lines, kept',
    700_000,
    (n) => `a: |+\n${'\n'.repeat(n)}`,
  ),
  ofUser('plain over lines', 'a plain text over many lines', 180_000, (n) => `a: b\n${' c\n'.repeat(n)}`),
  ofUser('quotes', 'single quotes', 700_000, (n) => `a: '${"''".repeat(n / 2)}`),
  ofUser('quoted lines', 'a quoted text over many lines', 180_000, (n) => `a: "b\n${' c\n'.repeat(n)}"`),
  ofUser('escapes', 'escapes', 350_000, (n) => `a: "${'\\n'.repeat(n)}"`),
  ofUser('escaped lines', 'escaped line ends', 230_000, (n) => `a: "${'\\\n '.repeat(n)}"`),
  ofUser('tags', 'tags', 230_000, (n) => '!a '.repeat(n)),
  ofUser('a tag', 'one long tag', 700_000, (n) => `!<${'a'.repeat(n)}`),
  ofUser('anchors', 'anchors', 100_000, (n) => listed(n, (i) => `- &a${i} b`, '\n')),
  ofUser('aliases', 'one anchor, many aliases', 120_000, (n) => `- &a b\n${'- *a\n'.repeat(n)}`),
  ofUser(
    'laughs',
    'aliases of aliases of aliases',
    10,
    (n) =>
      `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${listed(n, (i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`, '\n')}`,
  ),
  ofUser(
    'laughing maps',
    'aliases of maps',
    10,
    (n) =>
      `a0: &a0 {a: b}\n${listed(n, (i) => `a${i + 1}: &a${i + 1} {${listed(9, (k) => `k${k}: *a${i}`)}}`, '\n')}`,
  ),
  ofUser(
    'merges',
    'merge keys of merge keys',
    250,
    (n) => `a0: &a0 {a: b}\n${listed(n, (i) => `a${i + 1}: &a${i + 1}\n  <<: *a${i}\n  k${i}: 1`, '\n')}`,
  ),
  ofUser(
    'merge lists',
    'a merge of many maps',
    20_000,
    (n) => `a: &a {b: c}\nd:\n  <<: [${'*a,'.repeat(n)}]`,
  ),
  ofUser('directives', 'directives', 70_000, (n) => `${'%YAML 1.2\n'.repeat(n)}---\na: b`),
  ofUser('documents', 'documents', 180_000, (n) => '---\n'.repeat(n)),
  ofUser('numbers', 'a number of digits', 700_000, (n) => `a: ${'1'.repeat(n)}`),
  ofUser('underscores', 'a number of underscores', 700_000, (n) => `a: 1${'_'.repeat(n)}x`),
  ofUser('floats', 'a number of dots', 700_000, (n) => `a: 1${'.'.repeat(n)}`),
  ofUser('sexagesimal', 'a number of base 60', 230_000, (n) => `a: 1${':59'.repeat(n)}x`),
  ofUser('octal', 'a number of zeros', 700_000, (n) => `a: 0o${'0'.repeat(n)}x`),
  ofUser('times', 'a time of digits', 700_000, (n) => `a: 2024-01-01 00:00:00.${'0'.repeat(n)} x`),
  ofUser('tabs', 'tabs', 700_000, (n) => `a:${'\t'.repeat(n)}b`),
  ofUser('carriage returns', 'old line ends', 180_000, (n) => 'a:\r\n'.repeat(n)),
  ofUser('dashes', 'dashes', 700_000, (n) => '-'.repeat(n)),
  ofUser('byte order marks', 'byte order marks', 230_000, (n) => '\ufeff'.repeat(n)),
  ofUser(
    'known field of maps',
    'a spec of keys',
    80_000,
    (n) => `spec:\n${listed(n, (i) => `  ${i.toString(36)}: 1`, '\n')}`,
  ),
];
