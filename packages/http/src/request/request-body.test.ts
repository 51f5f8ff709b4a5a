import { expect, it } from 'vitest';
import { createTestApi } from '../testing/test-api.fixture.ts';

const WIDGETS = '/apis/example.com/v1/namespaces/x/widgets';
const YAML = { 'content-type': 'application/yaml' };

it.each([
  [
    '',
    `the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in 'z: 1\nkind: ""\nb: {a: 1, a: 2}\n' (7a3a20310a6b696e643a2022220a623a207b613a20312c20613a20327d0a)`,
  ],
  [
    '?fieldValidation=Ignore',
    `Widget in version "v1" cannot be handled as a Widget: Object 'Kind' is missing in '{"b":{"a":2},"kind":"","z":1}'`,
  ],
])(
  'shows YAML without a kind as it was sent, or as the JSON that it stands for where fields are not checked %s',
  async (query, message) => {
    const body = 'z: 1\nkind: ""\nb: {a: 1, a: 2}\n';
    const { json } = await createTestApi().ask('POST', `${WIDGETS}${query}`, { headers: YAML, body });
    expect(json).toMatchObject({ code: 400, message });
  },
);
