import { StatusError } from '@ashlar/core';

/** A call of the client: where it was made. */
export type CallerTrace = Error;

/** Notes where a call is made; the text is only made if it is asked for. */
export const callerTrace = (): CallerTrace => new Error('called here');

/** The part of a path up to the folder of a package's modules. */
const PACKAGE_FOLDER = /^(.*\/(?:src|dist)\/)/;

/**
 * Gives an error of the server the stack of the call, so that a test runner shows the caller's line. Frames of this package are left
 * out. The errors themselves have no stack: for a server they are ordinary responses.
 */
export function withCallerStack<E>(error: E, trace: CallerTrace): E {
  if (!StatusError.is(error)) return error;
  const frames = callerFrames(trace.stack ?? '');
  if (frames === '') return error;
  Object.defineProperty(error, 'stack', {
    value: `${error.name}: ${error.message}\n${frames}`,
    configurable: true,
    writable: true,
  });
  return error;
}

function callerFrames(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const folder = PACKAGE_FOLDER.exec(
    /(?:\(|at )((?:file:\/\/)?\/?[^()]*?):\d+:\d+\)?$/.exec(frames[0] ?? '')?.[1] ?? '',
  )?.[1];
  const outside = folder === undefined ? frames : frames.filter((line) => !line.includes(folder));
  return (outside.length > 0 ? outside : frames).join('\n');
}
