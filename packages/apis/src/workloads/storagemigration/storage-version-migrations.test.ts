import { type JsonObject, type JsonValue, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { storageVersionMigrations } from './storage-version-migrations.ts';

const TIME = '2024-02-01T10:00:05Z';
const GO_TIME = 'time.Date(2024, time.February, 1, 10, 0, 5, 0, time.Local)';
const condition = (type: string, status = 'True', more: JsonObject = {}): JsonObject => ({
  ...{ type, status, reason: 'a', lastUpdateTime: TIME },
  ...more,
});
const shown = (...types: readonly string[]): string => {
  const NAME = 'storagemigration.MigrationCondition';
  const each = types.map(
    (type) => `${NAME}{Type:"${type}", Status:"True", LastUpdateTime:${GO_TIME}, Reason:"a", Message:""}`,
  );
  return `[]${NAME}{${each.join(', ')}}`;
};

describe.each([
  ['kubernetes', kubernetesVocabulary],
  ['orch', orchVocabulary],
])('storage version migrations, with the names of %s', (_, vocabulary) => {
  let migrations: InMemoryResource;
  const migration = (resource: JsonObject): JsonObject => ({ metadata: { name: 'a' }, spec: { resource } });
  const SECRETS = { version: 'v1', resource: 'secrets' };

  beforeEach(() => {
    migrations = new InMemoryResource(storageVersionMigrations(vocabulary));
  });

  const withStatus = async (status: JsonValue): Promise<unknown> =>
    (await migrations.change('a', (object) => ({ ...object, status }), 'status')).status;

  it('need a resource and its version, which stay', async () => {
    expect(await causesOf(migrations.create(migration({ group: 'g' })))).toEqual([
      'spec.resource.resource: Required value: resource is required',
      'spec.resource.version: Required value: version is required',
    ]);
    const stored = await migrations.create({
      ...migration(SECRETS),
      status: { resourceVersion: '7', conditions: [condition('Running')] },
    });
    expect(stored).toMatchObject({ spec: { resource: SECRETS }, status: {} });
    const changed = (spec: JsonObject) => migrations.change('a', (object) => ({ ...object, spec }));
    expect(await causesOf(changed({ resource: { group: 'x', version: 'v2', resource: 'b' } }))).toEqual([
      'group: Invalid value: "x": field is immutable',
      'version: Invalid value: "v2": field is immutable',
      'resource: Invalid value: "b": field is immutable',
    ]);
    expect(await causesOf(changed({ resource: { version: '', resource: '' } }))).toEqual([
      'spec.resource.resource: Required value: resource is required',
      'spec.resource.version: Required value: version is required',
      'version: Invalid value: "": field is immutable',
      'resource: Invalid value: "": field is immutable',
    ]);
    expect((await changed({ resource: SECRETS, continueToken: 'c' })).spec).toEqual({
      ...{ resource: SECRETS, continueToken: 'c' },
    });
  });

  it('have a version in their status, which stays', async () => {
    await migrations.create(migration(SECRETS));
    for (const [resourceVersion, cause] of [
      ['-3', '-3: must be greater than or equal to 0'],
      [
        'abc',
        '"abc": failed to parse resource version "abc": strconv.ParseInt: parsing "abc": invalid syntax',
      ],
      [
        '99999999999999999999',
        '"99999999999999999999": failed to parse resource version "99999999999999999999": strconv.ParseInt: parsing "99999999999999999999": value out of range',
      ],
    ] as const)
      expect(await causesOf(withStatus({ resourceVersion }))).toEqual([
        `status.resourceVersion: Invalid value: ${cause}`,
      ]);
    expect(await withStatus({ resourceVersion: '12' })).toEqual({ resourceVersion: '12' });
    expect(await causesOf(withStatus({ resourceVersion: '13' }))).toEqual([
      'status.resourceVersion: Invalid value: "13": resourceVersion cannot be updated',
    ]);
  });

  it('have complete conditions of different types', async () => {
    await migrations.create(migration(SECRETS));
    const conditions = [
      { type: 'Running' },
      condition('Running', 'Maybe', { reason: '1x' }),
      { status: 'True' },
      condition('Long', 'True', { reason: 'a'.repeat(1025), message: 'é'.repeat(20_000) }),
    ];
    const at = 'status.conditions';
    const notKnown = 'supported values: "False", "True", "Unknown"';
    expect(await causesOf(withStatus({ conditions }))).toEqual([
      `${at}[0].status: Unsupported value: "": ${notKnown}`,
      `${at}[0].lastTransitionTime: Required value: must be set`,
      `${at}[0].reason: Required value: must be set`,
      `${at}[1].type: Duplicate value: "Running"`,
      `${at}[1].status: Unsupported value: "Maybe": ${notKnown}`,
      `${at}[1].reason: Invalid value: "1x": a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')`,
      `${at}[2].type: Invalid value: "": name part must be non-empty`,
      `${at}[2].type: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      `${at}[2].lastTransitionTime: Required value: must be set`,
      `${at}[2].reason: Required value: must be set`,
      `${at}[3].reason: Too long: may not be more than 1024 bytes`,
      `${at}[3].message: Too long: may not be more than 32768 bytes`,
    ]);
  });

  it('do not succeed and fail, and stay so', async () => {
    await migrations.create(migration(SECRETS));
    const types = ['Succeeded', 'Failed', 'Running'];
    const all = `status.conditions: Invalid value: ${shown(...types)}`;
    expect(await causesOf(withStatus({ conditions: types.map((type) => condition(type)) }))).toEqual([
      `${all}: Both success and failed conditions cannot be true at the same time`,
      `${all}: Running condition cannot be true when success condition is true`,
      `${all}: Running condition cannot be true when failed condition is true`,
    ]);
    await withStatus({ conditions: [condition('Succeeded')] });
    expect(await causesOf(withStatus({}))).toEqual([
      'status.conditions: Invalid value: []storagemigration.MigrationCondition(nil): Success condition cannot be set to false once it is true',
    ]);
  });

  it('show their resource in tables', () => {
    const [version] = storageVersionMigrations(vocabulary).versions;
    const object = { apiVersion: 'x', kind: 'y', ...migration({ group: 'g', ...SECRETS }) };
    const cells = version?.columns?.map(({ name, format, cell }) => [
      ...[name, format ?? '', cell(object as never, 0)],
    ]);
    expect(cells).toEqual([
      ['Name', '', 'a'],
      ['Resource', '', 'secrets.v1.g'],
    ]);
  });
});
