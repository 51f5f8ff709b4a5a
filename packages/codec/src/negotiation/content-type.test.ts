import { orchVocabulary, StatusError } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { negotiateContentType, parseContentType } from './content-type.ts';
import { objectMediaTypes } from './media-types.ts';

const served = objectMediaTypes(orchVocabulary);

describe('negotiateContentType', () => {
  it('defaults to JSON, and matches types case-insensitively', () => {
    expect(negotiateContentType(undefined, served)).toBe('application/json');
    expect(negotiateContentType('Application/YAML; charset="utf-8"', served)).toBe('application/yaml');
  });

  it.each(['text/plain', 'application/json;x', 'application/json;a=1;A=2', 'application/json/x', ';'])(
    'rejects %j with 415',
    (header) => {
      const refusal = () => negotiateContentType(header, served);
      expect(refusal).toThrow(
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.orch.protobuf',
      );
      expect(refusal).toThrow(expect.objectContaining({ code: 415 }));
    },
  );

  it('throws nothing but a StatusError', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        try {
          negotiateContentType(header, served);
        } catch (error) {
          expect(error).toBeInstanceOf(StatusError);
        }
      }),
    );
  });
});

describe('parseContentType', () => {
  it('parses parameters, quoted or not', () => {
    const { mediaType, parameters } = parseContentType('A/B ; X=1 ;y="a\\"b" ;') ?? {};
    expect(mediaType).toBe('a/b');
    expect([...(parameters ?? [])]).toEqual([
      ['x', '1'],
      ['y', 'a"b'],
    ]);
  });

  it.each(['a/b;x=1;', 'a/b; ', 'a/b ; ; ', 'a/b;;', 'a/b;x=1; ;', 'a/b;x', 'a/b;x=1 y'])(
    'ignores one semicolon at the end: %s',
    (header) => {
      const parameters = parseContentType(header)?.parameters;
      expect(parameters === undefined).toBe(/;\s*;|x$|y$/.test(header));
    },
  );

  it.each([
    ['blanks', `a/b;${' '.repeat(900_000)}!`],
    ['blanks before a semicolon', `a/b;x=1${' '.repeat(900_000)};!`],
    ['blanks around a name', `a/b;${' '.repeat(450_000)}x${' '.repeat(450_000)}!`],
    ['a name', `a/b;${'x'.repeat(900_000)}`],
    ['a quoted value', `a/b;x="${'\\\\'.repeat(450_000)}`],
    [
      'parameters before blanks',
      `a/b${Array.from({ length: 50_000 }, (_, i) => `;x${i}=1`).join('')}${' '.repeat(400_000)}!`,
    ],
    ['a type', `${'a'.repeat(900_000)}(`],
  ])('parses a header once: %s', (_name, header) => {
    expect(parseContentType(header)).toBeUndefined();
  });
});
