import { describe, expect, it } from 'vitest';
import { createEnvironment } from '../environment/environment.ts';
import { environment, everything } from '../environment/expressions.fixture.ts';
import { optionalLibrary } from '../libraries/optionals.ts';
import { defineObjectType } from './request-types.ts';
import { types, typeText } from './types.ts';

const typeOf = (text: string): string => {
  const type = environment.typeOf(text);
  return type ? typeText(type) : 'none';
};

const messagesOf = (text: string): string[] => {
  const compiled = environment.compile(text);
  return compiled.ok ? [] : compiled.issues.map(({ message }) => message);
};

describe('the type of an expression', () => {
  it.each([
    ['1 + 2', 'int'],
    ['[1, 2]', 'list(int)'],
    ['[1, "a"]', 'list(dyn)'],
    ['[]', 'list(dyn)'],
    ['{"a": 1u}', 'map(string, uint)'],
    ['numbers.map(x, string(x))', 'list(string)'],
    ['words.filter(w, w != "")', 'list(string)'],
    ['ready ? 1 : 2', 'int'],
    ['ready ? 1 : object.a', 'dyn'],
    ['optional.of(1)', 'optional_type(int)'],
    ['labels[?"a"].orValue("b")', 'string'],
    ['labels.transformMap(k, v, v.size())', 'map(string, int)'],
    ['timestamp("2024-01-01T00:00:00Z") - duration("1h")', 'timestamp'],
    ['type(1)', 'type(int)'],
    ['numbers[0] == 1', 'bool'],
    ['object.x.y', 'dyn'],
    ['cel.bind(x, 1.5, x * x)', 'double'],
    ['google.protobuf.Int64Value', 'none'],
  ])('of %s is %s', (text, type) => {
    expect(typeOf(text)).toBe(type);
  });
});

describe('the checker', () => {
  it.each([
    ['nothing', "undeclared reference to 'nothing' (in container '')"],
    ['count + name', "found no matching overload for '_+_' applied to '(int, string)'"],
    ['name.size(1)', "found no matching overload for 'size' applied to 'string.(int)'"],
    ['count.field', "type 'int' does not support field selection"],
    ['ready ? 1 : "a"', "found no matching overload for '_?_:_' applied to '(bool, int, string)'"],
    ['count && ready', "expected type 'bool' but found 'int'"],
    [
      'count.all(x, true)',
      "expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
    ['labels[1]', "found no matching overload for '_[_]' applied to '(map(string, string), int)'"],
  ])('rejects %s', (text, message) => {
    expect(messagesOf(text)).toContain(message);
  });

  it('reports all errors, with positions', () => {
    const compiled = environment.compile('nothing + missing(1)');
    expect(!compiled.ok && compiled.text).toBe(
      [
        "ERROR: <input>:1:1: undeclared reference to 'nothing' (in container '')",
        ' | nothing + missing(1)',
        ' | ^',
        "ERROR: <input>:1:18: undeclared reference to 'missing' (in container '')",
        ' | nothing + missing(1)',
        ' | .................^',
      ].join('\n'),
    );
  });

  it('resolves fields of object types', () => {
    const pod = defineObjectType('Pod', { name: types.string, replicas: types.wrapper(types.int) });
    const typed = createEnvironment({
      objectTypes: [pod],
      variables: { pod: types.object('Pod') },
      libraries: [optionalLibrary],
    });
    expect(typed.compile('pod.name == "a" && pod.replicas == null').ok).toBe(true);
    expect(typeText(typed.typeOf('pod.?name') ?? types.error)).toBe('optional_type(string)');
    const wrong = typed.compile('pod.nme');
    expect(!wrong.ok && wrong.issues[0]?.message).toBe("undefined field 'nme'");
  });

  it('resolves names from the container outwards', () => {
    const within = createEnvironment({
      container: 'a.b',
      variables: { 'a.b.x': types.int, 'a.y': types.string, z: types.bool },
    });
    expect(within.typeOf('x')).toBe(types.int);
    expect(within.typeOf('y')).toBe(types.string);
    expect(within.typeOf('.z')).toBe(types.bool);
    expect(within.typeOf('.x')).toBeUndefined();
  });

  it('can require one type of elements, comparisons within a type, and valid literals', () => {
    const strict = createEnvironment({
      ...everything,
      homogeneousLiterals: true,
      crossTypeComparison: false,
      checkLiterals: true,
    });
    for (const text of ['[1, "a"]', '1 < 1.5', 'duration("1x")', '"a".matches("(")']) {
      expect(environment.compile(text).ok || text.includes('(')).toBe(true);
      expect(strict.compile(text).ok).toBe(false);
    }
  });
});
