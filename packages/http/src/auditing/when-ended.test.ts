import type { ByteConnection, ByteSink, MessageSocket, ServerResponse } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { goesOn, whenEnded } from './when-ended.ts';

const OK: ServerResponse = { status: 200, headers: {} };

/** Something that is closed, and calls back then. */
function closable() {
  const calls: (() => void)[] = [];
  return {
    onClose: (call: () => void) => void calls.push(call),
    close: () => calls.splice(0).map((call) => call()),
  };
}

function followed(response: ServerResponse, signal = new AbortController().signal) {
  let count = 0;
  const wrapped = whenEnded(response, signal, () => count++);
  return { wrapped, count: () => count };
}

describe('a response', () => {
  it('goes on after its head if it is a stream, or another protocol follows', () => {
    const responses: readonly ServerResponse[] = [
      OK,
      { ...OK, body: new Uint8Array() },
      { ...OK, body: () => {} },
      { ...OK, upgrade: { open: () => {} } },
      { ...OK, switchProtocols: () => {} },
    ];
    expect(responses.map((each) => goesOn(each, 'GET'))).toEqual([false, false, true, true, true]);
    expect(goesOn({ ...OK, body: () => {} }, 'HEAD')).toBe(false);
  });

  it.each([
    ['a stream', (open) => ({ ...OK, body: open })],
    ['a WebSocket', (open) => ({ ...OK, upgrade: { open } })],
    ['another protocol', (open) => ({ ...OK, switchProtocols: open })],
  ] satisfies readonly [string, (open: () => void) => ServerResponse][])(
    'that is %s ends when it is closed',
    (_, make) => {
      let opened = 0;
      const { wrapped, count } = followed(make(() => void opened++));
      const { onClose, close } = closable();
      const peer = { onClose } as ByteSink & MessageSocket & ByteConnection;
      if (typeof wrapped.body === 'function') wrapped.body(peer);
      wrapped.upgrade?.open(peer);
      wrapped.switchProtocols?.(peer);
      expect([opened, count()]).toEqual([1, 0]);
      close();
      expect(count()).toBe(1);
    },
  );

  it('ends when the caller has gone, before it begins or later', () => {
    const end = new AbortController();
    const { wrapped, count } = followed({ ...OK, body: () => {} }, end.signal);
    end.abort();
    expect(count()).toBe(1);
    const { onClose, close } = closable();
    if (typeof wrapped.body === 'function') wrapped.body({ onClose } as ByteSink);
    close();
    expect(count()).toBe(1);
    expect(followed({ ...OK, body: () => {} }, AbortSignal.abort()).count()).toBe(1);
  });
});
