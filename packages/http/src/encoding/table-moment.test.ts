import { ageStart } from '@ashlar/core';
import { expect, it } from 'vitest';
import { TableMoment } from './table-moment.ts';

it('a row alone has memory of its own, and many share some', () => {
  const moment = new TableMoment(0);
  const rows = Array.from({ length: 1000 }, () => moment.allocate(300));
  expect(rows[0]?.buffer.byteLength).toBe(300);
  expect(new Set(rows.map(({ buffer }) => buffer)).size).toBeLessThan(20);
  for (const [i, row] of rows.entries()) row.fill(i);
  for (const [i, row] of rows.entries()) expect(row.every((byte) => byte === i % 256)).toBe(true);
});

it('a table is valid until the first of its ages changes', () => {
  const moment = new TableMoment(10_500);
  const ages = ['1970-01-01T00:00:10Z', '1970-01-01T00:00:01Z', undefined].map((since) =>
    new TextDecoder().decode(moment.age(ageStart(since))),
  );
  expect(ages).toEqual(['"0s"', '"9s"', '"\\u003cunknown\\u003e"']);
  expect(moment.until).toBe(11_000);
});
