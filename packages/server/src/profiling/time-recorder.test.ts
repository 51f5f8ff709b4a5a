import { describe, expect, it, vi } from 'vitest';
import { InspectorSession } from './inspector-session.ts';
import { TimeRecorder } from './time-recorder.ts';

/** A recorder, and the connections to the inspector that it has opened and closed. */
function recorder(keptMilliseconds?: number) {
  const seen = { opened: 0, closed: 0 };
  class CountedSession extends InspectorSession {
    override close(): void {
      seen.closed++;
      super.close();
    }
  }
  const open = (): InspectorSession => {
    seen.opened++;
    return new CountedSession();
  };
  return { recorder: new TimeRecorder(open, keptMilliseconds), seen };
}

function firstWork(): void {
  for (const until = performance.now() + 60; performance.now() < until; );
}

function secondWork(): void {
  for (const until = performance.now() + 60; performance.now() < until; );
}

describe('a recorder of time', () => {
  it('goes on sampling between recordings, each of which has only its own samples', async () => {
    const { recorder: time, seen } = recorder();
    await time.start();
    firstWork();
    const first = await time.stop();
    expect(time.isSampling).toBe(true);
    // the last sample may not have been handled yet
    await new Promise((resolve) => setTimeout(resolve, 50));
    await time.start();
    secondWork();
    const second = await time.stop();
    expect(seen).toEqual({ opened: 1, closed: 0 });
    const names = ({ nodes }: typeof first) => nodes.map(({ callFrame }) => callFrame.functionName);
    expect(names(first)).toContain('firstWork');
    expect(names(second)).toContain('secondWork');
    expect(names(second)).not.toContain('firstWork');
  });

  it('stops sampling when no recording follows', async () => {
    const { recorder: time, seen } = recorder(1);
    await time.start();
    await time.stop();
    await vi.waitFor(() => expect(time.isSampling).toBe(false), { timeout: 60_000 });
    expect(seen).toEqual({ opened: 1, closed: 1 });
    await time.start();
    expect((await time.stop()).nodes.length).toBeGreaterThan(0);
    expect(seen.opened).toBe(2);
  });

  it('stops nothing that was not started', async () => {
    await expect(new TimeRecorder().stop()).rejects.toThrow('no recording has been started');
  });
});
