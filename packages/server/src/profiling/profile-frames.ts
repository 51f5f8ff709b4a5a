import type { ProfileFrame } from '@ashlar/http';
import type { CallFrame } from './inspector-session.ts';

/** Names a function as profiles show it. */
export function profileFrame({ functionName, url, lineNumber }: CallFrame): ProfileFrame {
  return {
    name: functionName || '(anonymous)',
    ...(url !== '' && { file: url }),
    ...(lineNumber >= 0 && { line: lineNumber + 1 }),
  };
}
