import { runAtOnce } from '@ashlar/core';
import { expect, it } from 'vitest';
import { containerUsersErrorsSteps } from './container-users.ts';

const range = 'must be between 0 and 2147483647, inclusive';
const at = 'status.containerStatuses[0].linux';

it.each<[string, object, string, readonly string[]]>([
  ['a user', { uid: 0, gid: 2147483647, supplementalGroups: [1] }, 'linux', []],
  [
    'numbers out of range',
    { uid: -1, gid: 2147483648, supplementalGroups: [1, -3] },
    'linux',
    [
      `${at}.uid: Invalid value: -1: ${range}`,
      `${at}.gid: Invalid value: 2147483648: ${range}`,
      `${at}.supplementalGroups[1]: Invalid value: -3: ${range}`,
    ],
  ],
  ['a user of another system', { uid: 0 }, 'windows', [`${at}: Forbidden: cannot be set for a windows pod`]],
])('of a container %s', (_, linux, name, expected) => {
  const status = { containerStatuses: [{ name: 'a', user: { linux } }] };
  const errors = runAtOnce(containerUsersErrorsSteps(status, { os: { name } }));
  expect(errors.map(({ field, message }) => `${field}: ${message}`)).toEqual(expected);
});

it('users of containers by the ten thousand are validated with pauses', () => {
  const initContainerStatuses = Array.from({ length: 20_000 }, () => ({ user: { linux: { uid: 1 } } }));
  expect([...containerUsersErrorsSteps({ initContainerStatuses }, {})].length).toBeGreaterThan(20);
});
