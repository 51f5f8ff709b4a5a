import type { ServerResponse } from '@ashlar/core';

/** The response if a handler fails (semantics/status#situations, the last row of the table of situations). */
export const handlerFailure: ServerResponse = {
  status: 500,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: new TextEncoder().encode('This request caused apiserver to panic. Look in the logs for details.\n'),
};
