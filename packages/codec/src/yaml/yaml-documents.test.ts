import { describe, expect, it } from 'vitest';
import { DecodeError } from '../serializers/decode-error.ts';
import { decodeYamlDocuments } from './yaml-documents.ts';

describe('decodeYamlDocuments', () => {
  it.each<[string, unknown[]]>([
    ['a: 1\n---\na: 2\n', [{ a: 1 }, { a: 2 }]],
    ['---\na: 1\n--- # the second\r\na: |\n  --- x\n  ----\n---\n', [{ a: 1 }, { a: '--- x\n----\n' }]],
    ['# nothing\n---\n\n---\n', []],
    ['', []],
    ['{"a": "---"}', [{ a: '---' }]],
  ])('reads %j', (text, values) => {
    expect(decodeYamlDocuments(text)).toEqual(values);
  });

  it('says which document is wrong', () => {
    expect(() => decodeYamlDocuments('a: 1\n---\na: [\n')).toThrow(DecodeError);
    expect(() => decodeYamlDocuments('a: 1\n---\na: [\n')).toThrow(/^document 2: yaml: line /);
  });
});
