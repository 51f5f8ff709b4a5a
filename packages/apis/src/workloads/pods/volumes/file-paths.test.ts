import { expect, it } from 'vitest';
import { unreservedPath } from './file-paths.ts';

it.each<[string, readonly string[]]>([
  ['a/b', []],
  ['/a', ['must be a relative path']],
  ['a/../b', ["must not contain '..'"]],
  ['../a', ["must not contain '..'"]],
  ['..', ["must not contain '..'", "must not start with '..'"]],
  ['..a', ["must not start with '..'"]],
])('a path below that of a volume is not reserved: %s', (path, expected) => {
  expect(unreservedPath('path', path)).toEqual(
    expected.map((why) => expect.objectContaining({ message: expect.stringContaining(why) })),
  );
});
