import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import { playScenario, type Replay, readScenarios } from '../played-scenarios.ts';
import type { Player } from '../player.ts';
import { startServerUnderTest } from '../server-under-test.ts';
import type { CaseResult, Suite } from '../suite.ts';

/** Files of the folder `trace` with scenarios about webhooks and their configurations. */
const TRACES: readonly string[] = ['admission-invalid.json', 'admission-webhooks.json'];

/** What webhooks are asked and what comes of their responses, in both vocabularies: the player is the webhook. */
export const suite: Suite = {
  name: 'webhooks',
  async *run(data) {
    const module = async (name: string) => import(pathToFileURL(join(data, 'trace', name)).href);
    const replay = (await module('replay.mjs')) as Replay;
    const { standIn } = (await module('stand-in.mjs')) as { standIn(): Promise<Player> };
    for (const vocabulary of [kubernetesVocabulary, orchVocabulary]) {
      const player = await standIn();
      try {
        yield* runVocabulary(replay, player, data, vocabulary);
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
): AsyncIterable<CaseResult> {
  await using server = await startServerUnderTest(vocabulary);
  const client = new replay.Client({ server: server.url, token: 'admin-token' });
  for (const { id, scenario } of readScenarios(replay, pathsOf(data), vocabulary)) {
    if (/webhook|conversion/.test(scenario.name))
      yield* await playScenario(replay, id, { client, scenario, player });
    else yield { id, outcome: 'skipped', reason: 'policies are played by the suite trace' };
  }
}

function pathsOf(data: string): readonly string[] {
  const folder = join(data, 'webhooks', 'fixtures');
  const own = readdirSync(folder).sort();
  return [
    ...own.map((file) => join(folder, file)),
    ...TRACES.map((file) => join(data, 'trace', 'fixtures', file)),
  ];
}
