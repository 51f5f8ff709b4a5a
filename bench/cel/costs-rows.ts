// Arguments of bench/cel/costs.ts for every function. 'by type' generates them from the types of the
// overload: texts, lists, maps and bytes of the requested size. A function without an entry fails the
// bench.

/** An argument, or an expression for it. */
type Argument = unknown;
/** Arguments for a size. */
type Arguments = (size: number) => readonly Argument[];
/** Calls of a function: by the types of its overloads, and by overload in further worst cases. */
export type FunctionRow = 'by type' | 'not called' | Readonly<Record<string, readonly Arguments[]>>;

const text = (size: number, unit = 'a'): string => unit.repeat(Math.ceil(size / unit.length));
const numbers = (size: number): number[] => Array.from({ length: size }, (_, i) => i);
const texts = (size: number): string[] => numbers(size).map((i) => `item-${i}`);
const lists = (size: number): number[][] => numbers(size).map((i) => [i, i + 1]);
const expression = (source: string): Argument => ({ expression: source });
/** Only the given arguments: by type none would be valid. */
const only = (id: string, ...ways: readonly Arguments[]): FunctionRow => ({ [id]: ways, 'by type': [] });
const and = (id: string, ...ways: readonly Arguments[]): FunctionRow => ({ [id]: ways });
const all = (names: string, row: FunctionRow): Record<string, FunctionRow> =>
  Object.fromEntries(names.split(' ').map((name) => [name, row]));

export const rows: Readonly<Record<string, FunctionRow>> = {
  // Planned without a call, or calls of the host's authorizer.
  ...all('_?_:_ _&&_ _||_ _?._ _[_] _[?_]', 'not called'),
  ...all(
    'path group serviceAccount resource subresource namespace name check errored error allowed reason fieldSelector labelSelector',
    'not called',
  ),
  ...all('!_ @not_strictly_false _-_ _*_ _/_ _%_ -_ type dyn bool', 'by type'),
  ...all('_<_ _<=_ _>_ _>=_', 'by type'),
  '_==_': and('equals',
    (n) => [numbers(n), numbers(n)],
    (n) => [lists(n), lists(n)],
    (n) => [Object.fromEntries(texts(n).map((key) => [key, 1])), Object.fromEntries(texts(n).map((key) => [key, 1]))],
    (n) => [[[numbers(n)]], [[numbers(n)]]],
  ), // biome-ignore format: one case per line
  '_!=_': 'by type',
  '_+_': and('add_list', (n) => [lists(n), lists(n)]),
  '@in': and(
    'in_list',
    (n) => [-1, numbers(n)],
    (n) => [[-1], lists(n)],
    (n) => ['none', texts(n)],
  ),
  bytes: and('string_to_bytes', (n) => [text(n, 'é')]),
  double: and(
    'string_to_double',
    (n) => [text(n, '0')],
    (n) => [`${text(n, '0')}!`],
    (n) => [text(n, '1.')],
  ),
  int: and('string_to_int64', (n) => [text(n, '0')]),
  uint: and('string_to_uint64', (n) => [text(n, '0')]),
  string: and('bytes_to_string', (n) => [new Uint8Array(n).fill(0xff)]),
  timestamp: and('string_to_timestamp', (n) => [`2024-01-01T00:00:00.${text(n, '1')}Z`]),
  duration: and(
    'string_to_duration',
    (n) => [text(n, '1s')],
    () => [`${text(900, '000s')}!`],
    () => [text(900, '1.5h')],
  ),
  size: and(
    'size_string',
    (n) => [text(n, 'é')],
    (n) => [text(n, '😀')],
  ),
  contains: and(
    'contains_string',
    (n) => [text(n), `${text(n / 2)}b`],
    (n) => [text(n), `b${text(n / 2)}`],
  ),
  ...all('startsWith endsWith', 'by type'),
  matches: and('matches_string',
    (n) => [text(n), '^(a+)+$'],
    (n) => [text(n), '(x+x+)+y'],
    (n) => [text(n, 'é1'), '\\pL{3,}x'],
    (n) => [text(n, 'ab'), '(?:a|b)*a(?:a|b){12}c'],
  ), // biome-ignore format: one case per line
  find: only(
    'string_find_string',
    (n) => [text(n), '(a*x|a)'],
    (n) => [text(n, 'a '), '[a-z]+\\b'],
  ),
  findAll: {
    string_find_all_string: [
      (n) => [text(n), '(a*x|a)'],
      (n) => [text(n, 'ab '), '[a-z]+'],
      (n) => [text(n, 'é '), '\\pL'],
      (n) => ['aaaa', `${'(?:a?'.repeat(n / 20)}${')'.repeat(n / 20)}`],
    ],
    string_find_all_string_int: [(n) => [text(n), '(a*x|a)', 1000]],
    'by type': [],
  },
  ...all(
    'getFullYear getMonth getDayOfYear getDayOfMonth getDate getDayOfWeek getMinutes getSeconds getMilliseconds',
    'by type',
  ),
  getHours: and('timestamp_to_hours_with_tz', () => [expression('timestamp(0)'), 'Europe/Berlin']),
  charAt: and(
    'string_char_at_int',
    (n) => [text(n, 'é'), n - 1],
    (n) => [text(n, '😀'), n / 2 - 1],
  ),
  indexOf: {
    string_index_of_string: [
      (n) => [text(n), `${text(n / 2)}b`],
      (n) => [text(n), `b${text(n / 2)}`],
      (n) => [text(n, '😀'), 'b'],
    ],
    list_a_index_of_int: [(n) => [numbers(n), -1], (n) => [lists(n), [-1]]],
  },
  lastIndexOf: {
    string_last_index_of_string: [(n) => [text(n), `${text(n / 2)}b`], (n) => [text(n), `b${text(n / 2)}`]],
    list_a_last_index_of_int: [(n) => [numbers(n), -1]],
  },
  ...all('lowerAscii upperAscii substring', 'by type'),
  replace: {
    string_replace_string_string: [
      (n) => [text(n), '', 'b'],
      (n) => [text(n), 'a', 'bbbb'],
      (n) => [text(n), `${text(n / 2)}b`, ''],
    ],
    string_replace_string_string_int: [(n) => [text(n), 'a', 'b', n / 2]],
  },
  split: {
    string_split_string: [
      (n) => [text(n), ''],
      (n) => [text(n, ','), ','],
      (n) => [text(n), 'a'],
      (n) => [text(n), `${text(n / 2)}b`],
    ],
    string_split_string_int: [(n) => [text(n), 'a', 10]],
  },
  trim: and(
    'string_trim',
    (n) => [text(n, ' ')],
    (n) => [`${text(n, ' ')}x`],
    (n) => [`x${text(n, ' ')}x`],
  ),
  join: and('list_join_string', (n) => [texts(n), ', ']),
  format: only('string_format',
    (n) => [text(n, '%s'), numbers(n / 2)],
    (n) => [text(n, '%%'), []],
    (n) => ['%s', [lists(n)]],
    (n) => [text(n, '%f'), numbers(n / 2).map((i) => i + 0.5)],
  ), // biome-ignore format: one case per line
  'strings.quote': and('strings_quote', (n) => [text(n, '"')]),
  reverse: 'by type',
  'cel.@mapInsert': only('@mapInsert_map_key_value', (n) => [
    Object.fromEntries(texts(n).map((key) => [key, 1])),
    'new',
    1,
  ]),
  url: only('string_to_url',
    (n) => [`https://a.example/${text(n)}`],
    (n) => [`/${text(n, '%41')}`],
    (n) => [`/${text(n, '<')}`],
    (n) => [`https://${text(n, 'a.')}`],
    (n) => [text(n)],
  ), // biome-ignore format: one case per line
  isURL: and(
    'is_url_string',
    (n) => [`/${text(n, '%41')}`],
    (n) => [`https://${text(n, ':')}`],
  ),
  getQuery: only('url_get_query', (n) => [expression(`url("/?${text(n, 'a&')}")`)]),
  ...all('getScheme getHost getHostname getPort getEscapedPath', 'by type'),
  ip: and(
    'string_to_ip',
    (n) => [text(n, '1.')],
    (n) => [text(n, '1:')],
    (n) => [`${text(n, 'a')}:`],
  ),
  isIP: and(
    'is_ip',
    (n) => [text(n, '1.')],
    (n) => [text(n, ':')],
  ),
  'ip.isCanonical': 'by type',
  cidr: and(
    'string_to_cidr',
    (n) => [text(n, '/')],
    (n) => [`10.0.0.0/${text(n, '1')}`],
  ),
  isCIDR: 'by type',
  ...all('containsIP containsCIDR masked isMask prefixLength family', 'by type'),
  ...all('isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast', 'by type'),
  quantity: and(
    'string_to_quantity',
    (n) => [text(Math.min(n, 9000), '1')],
    (n) => [`1${text(n, '0')}`],
    (n) => [`1.${text(n, '0')}x`],
  ),
  isQuantity: and(
    'is_quantity_string',
    (n) => [text(n, '0')],
    (n) => [`${text(n, '0')}!`],
  ),
  ...all('sign isGreaterThan isLessThan compareTo asApproximateFloat asInteger isInteger add sub', 'by type'),
  semver: and(
    'string_to_semver',
    (n) => [`1.2.3-${text(n, 'a.')}a`],
    (n) => [text(n, '.')],
  ),
  isSemver: and(
    'is_semver_string',
    (n) => [`1.2.3+${text(n, 'a.')}a`],
    (n) => [text(n, '1')],
  ),
  ...all('major minor patch', 'by type'),
  'base64.decode': and(
    'base64_decode_string',
    (n) => [`${text(n, 'aaaa')}!`],
    (n) => [text(n, '\n')],
    (n) => [text(n, '=')],
  ),
  'base64.encode': 'by type',
  ...all(
    'format.dns1123Label format.dns1123Subdomain format.dns1035Label format.qualifiedName format.dns1123LabelPrefix',
    'by type',
  ),
  ...all(
    'format.dns1123SubdomainPrefix format.dns1035LabelPrefix format.labelValue format.uri format.uuid',
    'by type',
  ),
  ...all('format.byte format.date format.datetime format.named', 'by type'),
  validate: and('format-validate',
    ...['dns1123Subdomain', 'dns1035Label', 'qualifiedName', 'labelValue', 'uri', 'uuid', 'byte', 'date', 'datetime'].map(
      (name) => (n: number) => [expression(`format.${name}()`), text(n)],
    ),
    (n) => [expression('format.dns1123Subdomain()'), text(n, 'a.')],
    (n) => [expression('format.dns1123Subdomain()'), `${text(n, 'a-')}!`],
  ), // biome-ignore format: one case per line
  'jsonpatch.escapeKey': and('string_jsonpatch_escapeKey_string', (n) => [text(n, '~/')]),
  slice: only('list_slice', (n) => [numbers(n), 0, n]),
  flatten: only('list_flatten', (n) => [lists(n)]),
  sort: {
    list_int_sort: [(n) => [numbers(n).toReversed()]],
    list_string_sort: [(n) => [texts(n)], (n) => [numbers(n / 100).map((i) => `${text(500)}${i}`)]],
    'by type': [],
  },
  '@sortByAssociatedKeys': only('list_int_sortByAssociatedKeys', (n) => [
    numbers(n),
    numbers(n).toReversed(),
  ]),
  'lists.range': only('lists_range', (n) => [n]),
  distinct: and(
    'list_distinct',
    (n) => [texts(n)],
    (n) => [lists(n)],
    (n) => [numbers(n).map(() => Number.NaN)],
  ),
  'sets.contains': and(
    'list_sets_contains_list',
    (n) => [lists(n), lists(n)],
    (n) => [texts(n), texts(n).toReversed()],
  ),
  'sets.equivalent': and('list_sets_equivalent_list', (n) => [texts(n), texts(n).toReversed()]),
  'sets.intersects': and('list_sets_intersects_list', (n) => [numbers(n), numbers(n).map((i) => -1 - i)]),
  ...all('isSorted sum max min', 'by type'),
  includes: only(
    'list_includes_dyn_dyn',
    (n) => [numbers(n), -1],
    (n) => [text(n), text(n)],
  ),
  ...all(
    'math.@min math.@max math.ceil math.floor math.round math.trunc math.isInf math.isNaN math.isFinite',
    'by type',
  ),
  ...all('math.abs math.sign math.sqrt math.bitAnd math.bitOr math.bitXor math.bitNot', 'by type'),
  ...all('math.bitShiftLeft math.bitShiftRight', 'by type'),
  ...all('optional.of optional.none value hasValue or orValue first last', 'by type'),
  'optional.ofNonZeroValue': and('optional_ofNonZeroValue', (n) => [
    Object.fromEntries(texts(n).map((key) => [key, 1])),
  ]),
  ...all('optional.unwrap unwrapOpt', 'by type'),
};

/** Expressions over `list`, of integers, and `map`, of integers, by the macro and its arity. */
export const macroRows: Readonly<Record<string, string>> = {
  'has/1': 'list.all(x, !has(map.nothing))',
  'all/2': 'list.all(x, x >= 0)',
  'exists/2': 'map.exists(k, k == "")',
  'exists_one/2': 'list.exists_one(x, x == 1)',
  'existsOne/2': 'list.existsOne(x, x == 1)',
  'map/2': 'list.map(x, x + 1)',
  'map/3': 'list.map(x, x > 1, x + 1)',
  'filter/2': 'list.filter(x, x > 1)',
  'all/3': 'list.all(i, x, i == x)',
  'exists/3': 'map.exists(k, v, v < 0)',
  'existsOne/3': 'list.existsOne(i, x, x == 1)',
  'exists_one/3': 'list.exists_one(i, x, x == 1)',
  'transformList/3': 'list.transformList(i, x, i + x)',
  'transformList/4': 'list.transformList(i, x, x > 1, i + x)',
  'transformMap/3': 'list.transformMap(i, x, x)',
  'transformMap/4': 'map.transformMap(k, v, v > 1, v)',
  'transformMapEntry/3': 'map.transformMapEntry(k, v, {v: k})',
  'transformMapEntry/4': 'map.transformMapEntry(k, v, v > 1, {v: k})',
  'bind/3': 'list.all(x, cel.bind(y, x, y >= 0))',
  'sortBy/2': 'list.sortBy(x, -x)',
  'least/-1': 'list.all(x, math.least(x, 1, 2) <= 2)',
  'greatest/-1': 'list.all(x, math.greatest(x, 1, 2) >= 2)',
  'optMap/2': 'list.all(x, optional.of(x).optMap(y, y + 1).hasValue())',
  'optFlatMap/2': 'list.all(x, optional.of(x).optFlatMap(y, optional.of(y)).hasValue())',
};
