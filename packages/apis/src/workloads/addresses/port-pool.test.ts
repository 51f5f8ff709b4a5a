import { describe, expect, it } from 'vitest';
import type { AllocationRecord } from './allocation-record.ts';
import { Bitmap } from './bitmap.ts';
import { PortPool } from './port-pool.ts';
import { nodePortRange } from './service-ranges.ts';

const range = nodePortRange({});
const allocated = new Bitmap(range.size);
allocated.add(5);
const record = { read: async () => allocated } as unknown as AllocationRecord;
const pool = new PortPool(range, record);

describe('the ports of a dry run', () => {
  it('are the ones above all that it named', async () => {
    const { result } = await pool.allocate((ports) => {
      const first = ports.allocateAny();
      ports.allocate(40_000);
      return [first, ports.allocateAny(), ports.allocateAny()];
    }, true);
    expect(result).toEqual([32_769, 40_001, 40_002]);
  });

  it('are refused if they are allocated, or named before', async () => {
    const twice = (port: number) =>
      pool.allocate((ports) => {
        ports.allocate(port);
        ports.allocate(port);
      }, true);
    await expect(twice(range.first + 6)).rejects.toThrow('provided port is already allocated');
    const stored = pool.allocate((ports) => ports.allocate(range.first + 5), true);
    await expect(stored).rejects.toThrow('provided port is already allocated');
  });

  // does not finish in the time of a test if each is compared with all others
  it('may be a hundred thousand', async () => {
    const { result } = await pool.allocate((ports) => {
      let last = 0;
      for (let i = 0; i < 100_000; i++) last = ports.allocateAny();
      return last;
    }, true);
    expect(result).toBe(132_768);
  });
});
