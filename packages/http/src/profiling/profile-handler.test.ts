import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/test-api.fixture.ts';
import type { Profile, Profiler } from './profile.ts';

const profile = (name: string): Profile => ({
  values: [{ type: 'inuse_space', unit: 'bytes' }],
  samples: [{ stack: [{ name, file: 'a.js', line: 1 }], values: [1] }],
});

function profiled() {
  const calls: string[] = [];
  const recording = <T>(name: string, result: T) => {
    calls.push(`start ${name}`);
    return Promise.resolve({
      stop: async () => {
        calls.push(`stop ${name}`);
        return result;
      },
    });
  };
  let isRecording = false;
  const profiler: Profiler = {
    recordTime() {
      if (isRecording) return Promise.reject(new Error('in use'));
      isRecording = true;
      return recording('time', profile('time'));
    },
    recordAllocations: (released) => recording(`allocations ${released}`, profile('allocations')),
    recordTrace: () => recording('trace', new TextEncoder().encode('{}')),
    async memory(collects) {
      calls.push(`memory ${collects}`);
      return profile('memory');
    },
    activities: () => profile('waiting'),
  };
  return { calls, ...createTestApi({ profiler }) };
}

describe('profiles', () => {
  it('have a page, and a path that leads to it', async () => {
    const { ask } = profiled();
    const page = await ask('GET', '/debug/pprof/');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('href="heap?debug=1"');
    const { status, headers, text } = await ask('GET', '/debug/pprof');
    expect([status, headers.location, headers['content-type'], text]).toEqual([
      302,
      '/debug/pprof/',
      'text/html; charset=utf-8',
      '<a href="/debug/pprof/">Found</a>.\n\n',
    ]);
    const posted = await ask('POST', '/debug/pprof');
    expect([posted.status, posted.headers['content-type'], posted.text]).toEqual([302, undefined, '']);
  });

  it.each(['heap', 'allocs', 'goroutine', 'block', 'mutex'])('%s is a file, or text', async (name) => {
    const { ask } = profiled();
    const file = await ask('GET', `/debug/pprof/${name}?debug=x`);
    expect([file.status, file.headers['content-type'], file.headers['content-disposition']]).toEqual([
      200,
      'application/octet-stream',
      `attachment; filename="${name}"`,
    ]);
    const text = await ask('PUT', `/debug/pprof/${name}?debug=1`);
    expect([text.status, text.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text.text).toMatch(new RegExp(`^${name} profile: total [01]\nvalues: `));
  });

  it('collect garbage first on request', async () => {
    const { ask, calls } = profiled();
    await ask('GET', '/debug/pprof/heap?gc=1');
    await ask('GET', '/debug/pprof/heap?gc=0');
    expect(calls).toEqual(['memory true', 'memory false']);
  });

  it.each([
    ['profile?seconds=2', 2, 'time', 'profile'],
    ['profile?seconds=x', 30, 'time', 'profile'],
    ['trace?seconds=0.5', 0.5, 'trace', 'trace'],
    ['trace', 1, 'trace', 'trace'],
    ['heap?seconds=3', 3, 'allocations false', 'heap-delta'],
    ['allocs?seconds=3', 3, 'allocations true', 'allocs-delta'],
  ])('%s is recorded for %d seconds, beyond the deadline of requests', async (path, seconds, what, file) => {
    const { ask, calls, clock } = profiled();
    const answer = ask('GET', `/debug/pprof/${path}`);
    await new Promise((resolve) => setTimeout(resolve));
    clock.advance(seconds * 1000 - 1);
    await new Promise((resolve) => setTimeout(resolve));
    expect(calls).toEqual([`start ${what}`]);
    clock.advance(1);
    expect((await answer).headers['content-disposition']).toBe(`attachment; filename="${file}"`);
    expect(calls).toEqual([`start ${what}`, `stop ${what}`]);
  });

  it.each([
    ['nope', 404, 'Unknown profile\n'],
    ['cmdline', 404, 'Unknown profile\n'],
    ['heap/', 404, 'Unknown profile\n'],
    ['constructor', 404, 'Unknown profile\n'],
    ['heap?seconds=0', 400, 'invalid value for "seconds" - must be a positive integer\n'],
    ['heap?seconds=1&debug=1', 400, 'seconds and debug params are incompatible\n'],
    [
      'threadcreate',
      501,
      'the profile threadcreate is not available: threads of this program are not recorded\n',
    ],
  ])('refuse %s', async (path, status, text) => {
    const refused = await profiled().ask('GET', `/debug/pprof/${path}`);
    expect([refused.status, refused.text]).toEqual([status, text]);
    expect([refused.headers['x-go-pprof'], refused.headers['x-content-type-options']]).toEqual([
      '1',
      'nosniff',
    ]);
  });

  it('record time once at a time', async () => {
    const { ask, clock } = profiled();
    const first = ask('GET', '/debug/pprof/profile');
    const second = await ask('GET', '/debug/pprof/profile');
    expect([second.status, second.text]).toEqual([500, 'Could not enable CPU profiling: in use\n']);
    clock.advance(30_000);
    expect((await first).status).toBe(200);
  });

  it('are not there without a profiler', async () => {
    const { status, text } = await createTestApi({}).ask('GET', '/debug/pprof/');
    expect([status, text]).toEqual([404, '404 page not found\n']);
  });
});
