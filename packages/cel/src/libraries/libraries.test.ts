import { orchVocabulary } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { types } from '../check/types.ts';
import { createEnvironment } from '../environment/environment.ts';
import { serverEnvironment } from '../environment/server-environment.ts';
import { vetExpression } from '../rules/vet-expression.ts';
import { encodersLibrary } from './encoders.ts';
import { jsonPatchLibrary } from './json-patch.ts';
import { mathLibrary } from './math.ts';
import { stringsLibrary } from './strings.ts';

// Properties take long on busy machines.
vi.setConfig({ testTimeout: 60_000 });

const environment = serverEnvironment({ vocabulary: orchVocabulary }).extend({
  libraries: [mathLibrary, encodersLibrary, jsonPatchLibrary, stringsLibrary()],
  variables: { text: types.string, items: types.list(types.dyn) },
});

function run(expression: string, data: Readonly<Record<string, unknown>> = {}): unknown {
  const result = vetExpression(environment, expression, data);
  return result.ok ? result.value : `error: ${result.error.split('\n')[0]}`;
}

describe('the standard library', () => {
  it.each([
    ['"aé😀".size()', 3],
    ['size({"a": 1}) + size([1, 2]) + size(b"abc")', 6],
    ['string(1.0) + string(1e300) + string(true) + string(b"a")', '11e+300truea'],
    [
      'string(duration("90m")) + string(timestamp("2024-02-29T12:00:00.5+01:00"))',
      '5400s2024-02-29T12:00:00.5+01:00',
    ],
    ['int(timestamp("1970-01-01T00:01:00Z"))', 60],
    ['string(timestamp("2024-01-01T1:00:00+10:60"))', '2024-01-01T01:00:00+11:00'],
    ['string(timestamp("9999-12-31T23:59:59-10:00" + ""))', 'error: ERROR: <input>:1:17: timestamp overflow'],
    [
      'string(timestamp("2024-01-01T00:00:60Z" + ""))',
      "error: ERROR: <input>:1:17: type conversion error from 'string' to 'google.protobuf.Timestamp'",
    ],
    ['double("1e-3") + double(1u)', 1.001],
    ['timestamp("2024-03-31T00:30:00Z").getHours("Europe/Berlin")', 1],
    ['timestamp("2024-03-31T01:30:00Z").getHours("Europe/Berlin")', 3],
    ['timestamp(0).getHours("+05:30")', 5],
    ['timestamp(0).getHours("+0530")', 'error: ERROR: <input>:1:22: unknown time zone +0530'],
    ['timestamp(0).getHours("-08")', 'error: ERROR: <input>:1:22: unknown time zone -08'],
    ['timestamp("2024-02-29T00:00:00Z").getDayOfYear()', 59],
    ['timestamp("2024-02-29T00:00:00Z").getDayOfMonth() + timestamp("2024-02-29T00:00:00Z").getDate()', 57],
    ['timestamp("2024-01-01T00:00:00Z") + duration("36h") > timestamp("2024-01-02T00:00:00Z")', true],
    ['duration("1h1m1s1ms").getMilliseconds()', 3_661_001],
    ['duration("-1.5s").getSeconds()', -1],
    ['"abc".matches("^[a-c]+$") && !"abcd".matches("^[a-c]+$")', true],
    ['b"\\xff\\x00" < b"\\xff\\x01"', true],
    [
      'duration(size("abc"))',
      "error: ERROR: <input>:1:9: type conversion error from 'int' to 'google.protobuf.Duration'",
    ],
    ['string(b"\\xff")', 'error: invalid UTF-8 in bytes, cannot convert to string'],
  ])('%s returns %j', (expression, expected) => {
    expect(run(expression)).toEqual(expected);
  });
});

describe('text libraries', () => {
  it.each([
    ['"tacocat".charAt(3) + "x".charAt(1)', 'o'],
    ['"hello mellow".indexOf("ello", 2)', 7],
    ['"hello mellow".lastIndexOf("ello")', 7],
    ['"a,b,,c".split(",", 2)', ['a', 'b,,c']],
    ['["a", "b"].join("-")', 'a-b'],
    ['"hello hello".replace("he", "we", 1)', 'wello hello'],
    ['"😀bc".substring(1, 2)', 'b'],
    ['"  a\\u2003".trim()', 'a'],
    ['"TacoÉ".lowerAscii()', 'tacoÉ'],
    ['"ab😀".reverse()', '😀ba'],
    ['strings.quote("a\\"b\\n")', '"a\\"b\\n"'],
    ['"123abc456".find("[0-9]+")', '123'],
    ['"1 2 3".findAll("[0-9]", 2)', ['1', '2']],
    ['base64.encode(base64.decode("aGVsbG8="))', 'aGVsbG8='],
    ['jsonpatch.escapeKey("a/b~c")', 'a~1b~0c'],
  ])('%s returns %j', (expression, expected) => {
    expect(run(expression)).toEqual(expected);
  });

  it.each([
    [['a', 1], 'join: invalid input: 1'],
    [['a', null], 'join: invalid input: null'],
    [['a', Object.assign(Object.create(null), { a: 1 })], 'join: invalid input: map'],
    [[null], 'no such overload: join(list)'],
  ])('join only texts: %j', (items, expected) => {
    expect(run('items.join()', { items })).toContain(expected);
  });

  it('format as their version does', () => {
    const latest = createEnvironment({ libraries: [stringsLibrary()] });
    const expression = '"%s|%d|%.2f|%x|%b|%e|%%".format(["a", 5, 1.005, 255, 5, 12345.678])';
    expect(vetExpression(latest, expression, {})).toMatchObject({ value: 'a|5|1.00|ff|101|1.234568e+04|%' });
    expect(run('"%s %e".format(dyn([{"a": dyn(1.5)}, 12345.678]))')).toBe('{"a":1.500000} 1.234568×10⁰⁴');
  });

  it('round-trip split and join', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme', maxLength: 2 }),
        (text, by) => {
          const quoted = JSON.stringify(by).replaceAll('\\b', '\\u0008');
          expect(run(`text.split(${quoted}).join(${quoted})`, { text })).toBe(text);
        },
      ),
    );
  });
});

describe('list and number libraries', () => {
  it.each([
    ['[3, 1, 2].isSorted() || [1, 2, 2].isSorted()', true],
    ['[dyn(null)].isSorted()', 'error: ERROR: <input>:1:21: no such overload: isSorted(list)'],
    ['[dyn(1), dyn(null)].isSorted()', 'error: ERROR: <input>:1:29: no such overload'],
    ['[dyn(1), dyn("a"), dyn(0)].isSorted()', true],
    ['[dyn("a"), dyn(2), dyn(1)].isSorted()', false],
    ['[dyn(2), dyn("a"), dyn(1)].min() == 1 && [dyn(2), dyn("a"), dyn(3)].max() == 3', true],
    ['[dyn("a"), dyn(1)].max() == "a"', true],
    ['[dyn("a"), dyn(1), dyn([1])].max() == "a"', 'error: ERROR: <input>:1:33: no such overload'],
    ['[dyn(null)].sum() == 0', 'error: ERROR: <input>:1:16: no such overload: sum(list)'],
    ['[dyn(null)].min() == 0', 'error: ERROR: <input>:1:16: no such overload: min(list)'],
    ['[1].isSorted() && [dyn(1)].slice(1, 1).isSorted()', true],
    ['[1, 2, 3].sum() + [1, 2].max() - [4, 5].min()', 4],
    ['["a", "b", "a"].indexOf("a") + ["a", "b", "a"].lastIndexOf("a")', 2],
    ['[[1], [2, 3]].flatten()', [1, 2, 3]],
    ['dyn([1, 2]).flatten()', [1, 2]],
    ['[[[1]], [[2], [3]]].flatten(2)', [1, 2, 3]],
    ['lists.range(3).reverse() + [1, 2, 3, 4].slice(1, 3)', [2, 1, 0, 2, 3]],
    ['[3, 1, 2].sort() + [1, 1, 2].distinct()', [1, 2, 3, 1, 2]],
    ['["bb", "a"].sortBy(e, e.size())', ['a', 'bb']],
    ['sets.contains([1, 2], [2]) && sets.equivalent([1, 1], [1]) && sets.intersects([1], [1, 5])', true],
    ['math.greatest(1, 2, 5) + math.least([3, 1])', 6],
    ['math.abs(-3) + math.sign(-2)', 2],
    ['math.ceil(1.2) + math.floor(-1.2) + math.round(-1.5) + math.trunc(1.9)', -1],
    ['math.bitOr(1, 6) + math.bitShiftRight(-1, 60)', 22],
    ['[1, 2].transformMap(i, v, v * 10)', { 0: 10, 1: 20 }],
    ['{"a": 1}.transformMapEntry(k, v, {v: k})', { 1: 'a' }],
    ['optional.of(1).optMap(v, v + 1).orValue(0) + optional.none().orValue(5)', 7],
    ['[?optional.none(), 1]', [1]],
    ['{?"a": optional.of(1), ?"b": optional.none()}', { a: 1 }],
  ])('%s returns %j', (expression, expected) => {
    expect(run(expression)).toEqual(expected);
  });
});

describe('network, URL and other libraries', () => {
  it.each([
    ['ip("10.0.0.1").family() + ip("::1").family()', 10],
    [
      'ip("127.0.0.1").isLoopback() && ip("fe80::1").isLinkLocalUnicast() && ip("0.0.0.0").isUnspecified()',
      true,
    ],
    ['isIP("10.0.0.01") || isIP("1.2.3") || isIP("::ffff:1.2.3.4") || isIP("fe80::1%eth0")', false],
    ['string(ip("2001:DB8:0:0::1"))', '2001:db8::1'],
    ['cidr("10.0.0.0/8").containsIP("10.255.1.1") && !cidr("10.0.0.0/8").containsIP("11.0.0.0")', true],
    [
      'cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16") && !cidr("10.1.0.0/16").containsCIDR("10.0.0.0/8")',
      true,
    ],
    ['cidr("10.0.0.0/8").containsIP("x")', 'error: ERROR: <input>:1:30: no such overload'],
    ['string(cidr("10.1.2.3/8").masked().ip())', '10.0.0.0'],
    ['cidr("::1/128").prefixLength()', 128],
    [
      'quantity("1.5Gi").isGreaterThan(quantity("1G")) && quantity("500m").compareTo(quantity("0.5")) == 0',
      true,
    ],
    ['quantity("1k").add(quantity("1")).asInteger()', 1001],
    ['isQuantity("1 Gi") || isQuantity("")', false],
    ['quantity("1Gx")', 'error: ERROR: <input>:1:9: quantities must match the regular expression'],
    ['semver("1.2.3-rc.1").isLessThan(semver("1.2.3")) && semver("v1.2", true).minor() == 2', true],
    ['isSemver("1.2") || isSemver("01.2.3")', false],
    ['url("https://user@example.com:8443/a%20b?x=1&x=2#f").getQuery()["x"]', ['1', '2']],
    ['url("https://[::1]:80/").getHostname() + url("https://[::1]:80/").getPort()', '::180'],
    ['isURL("../a") || isURL("no url")', false],
    ['!format.named("dns1123Label").hasValue() || format.named("none").hasValue()', false],
    ['format.dns1123Label().validate("a-b").hasValue()', false],
    ['format.dns1123Label().validate("A").value().size() > 0', true],
  ])('%s returns %j', (expression, expected) => {
    const actual = run(expression);
    if (typeof expected === 'string' && expected.startsWith('error: ')) expect(actual).toContain(expected);
    else expect(actual).toEqual(expected);
  });

  it('are consistent for addresses and prefixes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(128), (address, bits) => {
        const isAddress = run('isIP(text)', { text: address });
        if (isAddress !== true) return;
        const written = run('string(ip(text))', { text: address });
        expect(run('string(ip(text)) == text && ip.isCanonical(text)', { text: written })).toBe(true);
        const prefix = `${String(written)}/${String(written).includes(':') ? bits : bits % 33}`;
        expect(run('cidr(text).containsIP(cidr(text).masked().ip())', { text: prefix })).toBe(true);
        expect(run('cidr(text).containsCIDR(cidr(text))', { text: prefix })).toBe(true);
      }),
    );
  });

  it('accept any text without an internal error', () => {
    const calls = [
      'isIP(text)', 'isCIDR(text)', 'isURL(text)', 'isQuantity(text)', 'isSemver(text)', 'ip(text)', 'cidr(text)', 'url(text)',
      'quantity(text)', 'semver(text, true)', 'timestamp(text)', 'duration(text)', 'int(text)', 'uint(text)', 'double(text)',
      'bool(text)', 'text.format([1, "a", 2.5])', '"a".matches(text)', 'base64.decode(text)', 'strings.quote(text)',
      'timestamp(0).getHours(text)', 'format.dns1123Subdomain().validate(text)',
    ]; // biome-ignore format: a table
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'0123456789abcdef.:/-+%[]()*TZmskGi'), maxLength: 20 }),
      fc.webUrl(),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(...calls), (value, call) => {
        expect(() => JSON.stringify(vetExpression(environment, call, { text: value }).ok)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});

describe('releases', () => {
  it.each([
    ['ip("10.0.0.1")', '1.29', '1.30'],
    ['semver("1.0.0")', '1.32', '1.33'],
    ['optional.of(1)', '1.27', '1.28'],
    ['1 < 1.5', '1.27', '1.28'],
    ['[1].all(i, v, v > i)', '1.31', '1.32'],
    ['sets.contains([1], [1])', '1.28', '1.29'],
  ] as const)('%s was added after %s, with %s', (expression, before, since) => {
    expect(serverEnvironment({ release: before }).compile(expression).ok).toBe(false);
    expect(serverEnvironment({ release: since }).compile(expression).ok).toBe(true);
  });
});
