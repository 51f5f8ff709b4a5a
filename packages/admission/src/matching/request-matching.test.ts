import { type ApiObject, toLabelSelector } from '@ashlar/core';
import { expect, it } from 'vitest';
import { requestFor } from '../request.fixture.ts';
import { namespaceMatches } from './request-matching.ts';

const ofTeam = toLabelSelector({ matchLabels: { team: 'x' } });
const labelled = (labels: Readonly<Record<string, string>>): ApiObject =>
  ({ apiVersion: 'v1', kind: 'Namespace', metadata: { labels } }) as ApiObject;
const creation = (resource: string, object: ApiObject) =>
  requestFor({
    ...{ operation: 'CREATE', resource: { group: '', version: 'v1', resource } },
    ...{ namespace: '', name: '', object },
  });
const reader = (): undefined => undefined;

it('a namespace whose name is not generated yet has its own labels', async () => {
  const matches = async (object: ApiObject) =>
    namespaceMatches(ofTeam, creation('namespaces', object), reader);
  expect(await matches(labelled({ team: 'x' }))).toBe(true);
  expect(await matches(labelled({}))).toBe(false);
});

it('what else is in no namespace matches', async () => {
  expect(await namespaceMatches(ofTeam, creation('nodes', labelled({})), reader)).toBe(true);
});
