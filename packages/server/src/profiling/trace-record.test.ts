import { describe, expect, it } from 'vitest';
import { TraceRecord } from './trace-record.ts';

const parsed = (record: TraceRecord): { traceEvents: object[]; otherData?: { truncated: string } } =>
  JSON.parse(new TextDecoder().decode(record.document()));

describe('a trace', () => {
  it('has its events in the order of their arrival', () => {
    const record = new TraceRecord();
    expect(parsed(record)).toEqual({ traceEvents: [] });
    record.add([{ name: 'a' }, { name: 'ä' }]);
    record.add([{ name: 'c' }]);
    expect(record.isFull).toBe(false);
    expect(parsed(record)).toEqual({ traceEvents: [{ name: 'a' }, { name: 'ä' }, { name: 'c' }] });
  });

  it('ends at its maximum size, and says so', () => {
    const record = new TraceRecord(30);
    record.add([{ name: 'a' }, { name: 'b' }, { name: 'long enough' }, { n: 1 }]);
    record.add([{ n: 2 }]);
    expect(record.isFull).toBe(true);
    expect(parsed(record)).toEqual({
      traceEvents: [{ name: 'a' }, { name: 'b' }],
      otherData: { truncated: 'the trace has reached its maximum size of 30 bytes' },
    });
  });
});
