import { expect, it } from 'vitest';
import { admitted, controlOf, patient, queued, requestOf, userOf } from '../flow-control.fixture.ts';
import { dumpLevels } from './dump-levels.ts';
import { dumpQueues } from './dump-queues.ts';
import { dumpRequests } from './dump-requests.ts';

const cellsOf = (text: string): readonly (readonly string[])[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(',').map((cell) => cell.trim()));

function busy() {
  const started = controlOf(1, queued(1, { queues: 1, handSize: 1 }));
  admitted(started.control.begin(userOf('anna'), requestOf(), patient()));
  void started.control.begin(userOf('bert'), requestOf({ apiGroup: 'apps', name: 'x' }), patient());
  return started;
}

it('tells what each level does', () => {
  expect(cellsOf(dumpLevels(busy().control))).toEqual([
    [
      ...[
        'PriorityLevelName',
        'ActiveQueues',
        'IsIdle',
        'IsQuiescing',
        'WaitingRequests',
        'ExecutingRequests',
      ],
      ...['DispatchedRequests', 'RejectedRequests', 'TimedoutRequests', 'CancelledRequests'],
    ],
    ['catch-all', '0', 'true', 'false', '0', '0', '0', '0', '0', '0'],
    ['level', '1', 'false', 'false', '1', '1', '1', '0', '0', '0'],
  ]);
});

it('tells what waits in queues', () => {
  const [, queue] = cellsOf(dumpQueues(busy().control));
  expect(queue).toEqual(['level', '0', '1', '1', '1', '0.00300000ss', '1', '1', '0.00300000ss']);
});

it('tells which requests there are, and by request who sent them', () => {
  const { control, clock } = busy();
  const short = cellsOf(dumpRequests(control, { clock }));
  const time = '1970-01-01T00:16:40.000Z';
  expect(short.slice(1)).toEqual([
    ['level', 'all', '0', '0', 'bert', time, '1', '0', '0s', '0001-01-01T00:00:00Z'],
    ['level', 'all', '0', '-1', 'anna', time, '1', '0', '0s', time],
  ]);
  const [, waiting] = cellsOf(dumpRequests(control, { clock, details: true }));
  expect(waiting?.slice(10)).toEqual([
    ...['bert', 'list', '/api/v1/namespaces/default/configmaps', 'default', 'x', 'apps/v1', 'configmaps', ''],
  ]);
});

it('tells what waits beside the queues', () => {
  const { control, clock } = controlOf(40, queued(1));
  for (let i = 0; i < 20; i++) admitted(control.begin(userOf('anna'), requestOf(), patient()));
  void control.begin(userOf('anna'), requestOf(), patient());
  const rows = cellsOf(dumpRequests(control, { clock })).slice(1);
  expect(rows).toHaveLength(21);
  expect(rows[0]?.slice(0, 5)).toEqual(['level', 'all', '-1', '0', 'anna']);
});
