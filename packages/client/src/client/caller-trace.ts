import { StatusError } from '@ashlar/core';

/** A call of the client: where it was made. */
export type CallerTrace = Error;

/** Notes where a call is made; the text is only made if it is asked for. */
export const callerTrace = (): CallerTrace => new Error('called here');

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
  const frames = stack.split('\n').filter((line) => line.trimStart().startsWith('at '));
  const folder = packageFolder(frames[0] ?? '');
  const outside = folder === '' ? frames : frames.filter((line) => !line.includes(folder));
  return (outside.length > 0 ? outside : frames).join('\n');
}

/** The folder of a package's modules, of a frame in one of them: `/app/node_modules/@ashlar/client/dist/`. */
function packageFolder(frame: string): string {
  const path = frame
    .slice(frame.lastIndexOf('(') + 1)
    .replace('at ', '')
    .trim();
  const end = Math.max(path.lastIndexOf('/src/'), path.lastIndexOf('/dist/'));
  return end < 0 ? '' : path.slice(0, end + 1);
}
