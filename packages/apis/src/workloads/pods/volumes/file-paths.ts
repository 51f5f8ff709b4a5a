import type { FieldError } from '@ashlar/core';
import { invalidWhen } from '../../field-rules.ts';

// Paths of files in volumes.

/** A path without `..` as one of its elements. */
export function withoutBacksteps(path: string, target: string): readonly FieldError[] {
  return invalidWhen(BACKSTEP.test(target), path, target, "must not contain '..'");
}

const BACKSTEP: RegExp = /(?:^|\/)\.\.(?:\/|$)/;

/** Whether a path, once its `.` and `..` are resolved, is the root. */
export function isRootPath(target: string): boolean {
  if (!target.startsWith('/')) return false;
  let depth = 0;
  for (const element of target.split('/')) {
    if (element === '..') depth = Math.max(depth - 1, 0);
    else if (element !== '' && element !== '.') depth++;
  }
  return depth === 0;
}

/** A path below another. */
export function relativePath(path: string, target = ''): readonly FieldError[] {
  return [
    ...invalidWhen(target.startsWith('/'), path, target, 'must be a relative path'),
    ...withoutBacksteps(path, target),
  ];
}

/** A path below another that the runtime has not reserved for itself: those begin with `..`. */
export function unreservedPath(path: string, target = ''): readonly FieldError[] {
  return [
    ...relativePath(path, target),
    ...invalidWhen(
      target.startsWith('..') && !target.startsWith('../'),
      path,
      target,
      "must not start with '..'",
    ),
  ];
}

/** Optional permissions of a file. */
export function fileMode(path: string, mode: number | undefined): readonly FieldError[] {
  return invalidWhen(
    mode !== undefined && (mode > 0o777 || mode < 0),
    path,
    mode,
    'must be a number between 0 and 0777 (octal), both inclusive',
  );
}
