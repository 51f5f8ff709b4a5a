import type { ServerRequest, ServerResponse } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { RequestGate } from './request-gate.ts';

const request = {} as ServerRequest;
const OK: ServerResponse = { status: 200, headers: {}, body: new Uint8Array() };

/** A handler whose requests the test answers. */
function waiting(): { gate: RequestGate; answer: (() => void)[] } {
  const result: (() => void)[] = [];
  const gate = new RequestGate(() => new Promise((resolve) => result.push(() => resolve(OK))));
  return { gate, answer: result };
}

const isDone = async (promise: Promise<unknown>): Promise<boolean> => {
  const open = Symbol('open');
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, Promise.resolve(open)])) !== open;
};

describe('RequestGate', () => {
  it('closes when the last accepted request is answered', async () => {
    const { gate, answer } = waiting();
    const [first, second] = [gate.handler(request), gate.handler(request)];
    const closed = gate.close(createSteppedClock(), 1000);
    answer[0]?.();
    expect([await first, await isDone(closed)]).toEqual([OK, false]);
    answer[1]?.();
    expect([await second, await isDone(closed)]).toEqual([OK, true]);
  });

  it('rejects new requests, with a Retry-After', async () => {
    const { gate } = waiting();
    await gate.close(createSteppedClock(), 1000);
    const { status, headers, body } = await gate.handler(request);
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(Buffer.from(body as Uint8Array).toString())).toMatchObject({
      reason: 'ServiceUnavailable',
      message: 'apiserver is shutting down',
    });
  });

  it('refers new requests to other servers until the accepted ones are answered', async () => {
    const { gate, answer } = waiting();
    const to = (url: string, more: object = {}): ServerRequest => ({ url, ...more }) as ServerRequest;
    const accepted = gate.handler(to('/api'));
    const referred = gate.refer(createSteppedClock(), 1000);
    const { status, headers, body } = await gate.handler(to('/api'));
    expect([status, headers['retry-after'], headers.connection]).toEqual([429, '5', 'close']);
    expect(Buffer.from(body as Uint8Array).toString()).toBe(
      'The apiserver is shutting down, please try again later.\n',
    );
    const served = [gate.handler(to('/readyz?verbose')), gate.handler(to('/api', { isBackground: true }))];
    for (const each of answer) each();
    expect(await Promise.all([accepted, ...served])).toEqual([OK, OK, OK]);
    await referred;
    void gate.handler(to('/api'));
    expect(answer).toHaveLength(4);
  });

  it('waits no longer than the grace period', async () => {
    const clock = createSteppedClock();
    const { gate } = waiting();
    void gate.handler(request);
    const closed = gate.close(clock, 1000);
    expect(await isDone(closed)).toBe(false);
    clock.advance(1000);
    expect(await isDone(closed)).toBe(true);
  });

  it('keeps the process alive while it waits', () => {
    const { gate } = waiting();
    void gate.handler(request);
    let holds = 0;
    const timer = { clear: () => {}, hold: () => void holds++ };
    void gate.close({ ...createSteppedClock(), setTimer: () => timer }, 1000);
    expect(holds).toBe(1);
  });

  it('counts requests that fail', async () => {
    const gate = new RequestGate(() => Promise.reject(new Error('broken')));
    await expect(gate.handler(request)).rejects.toThrow('broken');
    expect(await isDone(gate.close(createSteppedClock(), 1000))).toBe(true);
  });
});
