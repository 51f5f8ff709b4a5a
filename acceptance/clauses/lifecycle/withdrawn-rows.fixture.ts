import { workloadResources } from '@ashlar/apis/workloads';
import { groupName, type JsonObject, type Vocabulary, vocabularies } from '@ashlar/core';
import { requireRelease, versionsOfRelease } from '@ashlar/lifecycle';
import { type ApiServer, createApiServer, emulateRelease } from '@ashlar/server';
import { afterAll, describe, expect } from 'vitest';

/** A kind in a withdrawn version. Groups of the vendor end with a dot. */
interface WithdrawnRow {
  /** The release that no longer serves it. */
  readonly release: string;
  /** `extensions/v1beta1` */
  readonly from: string;
  readonly to: string;
  readonly plural: string;
  readonly namespaced?: boolean;
  /** An object of the withdrawn version; its name is given to it. */
  readonly object?: JsonObject;
  /** Parts of it in the replacement. */
  readonly becomes?: JsonObject;
  /** Whether it is only asked, and not stored. */
  readonly isReview?: boolean;
}

/** A response of a server. */
interface RowReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
  readonly text: string;
}

/** What the tests of a vocabulary share. */
export interface WithdrawnTests {
  readonly vocabulary: Vocabulary;
  ask(release: string, path: string, body?: JsonObject, method?: string): Promise<RowReply>;
  /** Names of a group version in the vocabulary. */
  named(groupVersion: string): string;
  /**
   * Checks that the release before serves a version with a warning, that the release does not, and that what was written in it is read
   * in the replacement.
   */
  isWithdrawn(row: WithdrawnRow): Promise<void>;
}

/** Runs tests of withdrawn versions in each vocabulary. Servers of one release are shared. */
export function forEachVocabulary(title: string, tests: (shared: WithdrawnTests) => void): void {
  describe.each(Object.entries(vocabularies))(`${title} with the names of %s`, (_, vocabulary) => {
    const servers = new Map<string, Promise<ApiServer>>();
    afterAll(async () => {
      for (const server of servers.values()) await (await server).close();
    });
    tests(testsOf(vocabulary, servers));
  });
}

/** Every known version is on, so that releases before 1.16 can be imitated by 1.16. */
async function start(release: string, vocabulary: Vocabulary): Promise<ApiServer> {
  const isOldest = release === '1.15';
  const server = createApiServer({
    vocabulary,
    resources: workloadResources(vocabulary),
    controllers: false,
    emulation: emulateRelease(isOldest ? '1.16' : release),
    ...(isOldest && { runtimeConfig: oldVersions(vocabulary) }),
  });
  await server.ready;
  return server;
}

function oldVersions(vocabulary: Vocabulary): ReadonlyMap<string, boolean> {
  const { known } = versionsOfRelease(requireRelease('1.16'), vocabulary);
  return new Map(
    known.filter((version) => /^(?:apps|extensions)\/v1beta/.test(version)).map((version) => [version, true]),
  );
}

let count = 0;

function testsOf(vocabulary: Vocabulary, servers: Map<string, Promise<ApiServer>>): WithdrawnTests {
  const named = (groupVersion: string): string => {
    const [group = '', version = ''] = groupVersion.split('/');
    return `${groupName(vocabulary, group)}/${version}`;
  };
  const ask = async (
    release: string,
    path: string,
    body?: JsonObject,
    method = 'POST',
  ): Promise<RowReply> => {
    const server = servers.get(release) ?? start(release, vocabulary);
    servers.set(release, server);
    const request = new Request(`http://server${path}`, {
      ...(body && { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const { status, headers, ...response } = await (await server).fetch(request).then(async (given) => ({
      status: given.status,
      headers: given.headers,
      text: await given.text(),
    }));
    const parsed = response.text.startsWith('{') ? (JSON.parse(response.text) as JsonObject) : {};
    return { status, headers, body: parsed, text: response.text };
  };
  const isWithdrawn = async (row: WithdrawnRow): Promise<void> => {
    const { release, plural, namespaced = false, object = {}, isReview = false } = row;
    const before = `1.${Number(release.split('.')[1]) - 1}`;
    const where = namespaced ? 'namespaces/default/' : '';
    const path = (groupVersion: string): string => `/apis/${named(groupVersion)}/${where}${plural}`;
    const name = `object-${count++}`;
    const { metadata = {}, ...rest } = object as JsonObject & { readonly metadata?: JsonObject };
    const made = await ask(before, path(row.from), {
      ...rest,
      ...(!isReview && { metadata: { name, ...metadata } }),
    });
    expect([row.from, made.status, made.body.message]).toEqual([row.from, 201, made.body.message]);
    if (before !== '1.15')
      expect(made.headers.get('warning')).toContain(
        `${named(row.from)} ${made.body.kind} is deprecated in v1.`,
      );
    const gone = await ask(release, path(row.from), isReview ? {} : undefined);
    expect([row.from, release, gone.status]).toEqual([row.from, release, 404]);
    if (isReview) return;
    expect((await ask(release, path(row.to))).status).toBe(200);
    const stored = `${path(row.to)}/${(metadata as { name?: string }).name ?? name}`;
    const read = await ask(before, stored);
    expect(read).toMatchObject({ status: 200, body: { apiVersion: named(row.to), ...row.becomes } });
  };
  return { vocabulary, ask, named, isWithdrawn };
}
