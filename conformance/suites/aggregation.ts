import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import { type ClientCertificates, createClientCertificates } from '../client-certificates.ts';
import { playScenario, type Replay, readScenarios } from '../played-scenarios.ts';
import type { Player } from '../player.ts';
import { startServerUnderTest } from '../server-under-test.ts';
import type { CaseResult, Suite } from '../suite.ts';

/** What a server passes on to the one behind it, and what it says of it, in both vocabularies: the player is the one behind. */
export const suite: Suite = {
  name: 'aggregation',
  async *run(data) {
    const module = async (...path: string[]) => import(pathToFileURL(join(data, ...path)).href);
    const replay = (await module('trace', 'replay.mjs')) as Replay;
    const { open } = (await module('aggregation', 'run.mjs')) as { open(): Promise<Player> };
    using certificates = await createClientCertificates();
    for (const vocabulary of [kubernetesVocabulary, orchVocabulary]) {
      const player = await open();
      try {
        yield* runVocabulary(replay, player, data, vocabulary, certificates);
      } finally {
        await player.close();
      }
    }
  },
};

async function* runVocabulary(
  replay: Replay,
  player: Player,
  data: string,
  vocabulary: Vocabulary,
  certificates: ClientCertificates,
): AsyncIterable<CaseResult> {
  await using server = await startServerUnderTest(vocabulary, { certificates, proxy: true });
  const client = new replay.Client({
    ...{ server: server.url, token: 'admin-token', ca: certificates.authorityFile },
  });
  const folder = join(data, 'aggregation', 'fixtures');
  const files = readdirSync(folder).sort();
  const paths = files.map((file) => join(folder, file));
  for (const { id, scenario } of readScenarios(replay, paths, vocabulary))
    yield* await playScenario(replay, id, { client, scenario, player });
}
