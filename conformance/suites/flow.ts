import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import type { ServerSetup } from '../access-under-test.ts';
import { playScenario, type Replay, readScenarios } from '../played-scenarios.ts';
import type { Player } from '../player.ts';
import { startServerUnderTest } from '../server-under-test.ts';
import type { CaseResult, Suite } from '../suite.ts';

/** The servers of the recordings, by file. */
const SETUPS: Readonly<Record<string, ServerSetup>> = {
  'flow-seats.json': { limits: { readOnly: 20, mutating: 10 } },
  'flow-inflight.json': { limits: { readOnly: 2, mutating: 1 }, priorityAndFairness: false },
};

/** What a server does where no seat is left, in both vocabularies: the player is a webhook that holds requests. */
export const suite: Suite = {
  name: 'flow',
  async *run(data) {
    const module = async (...path: string[]) => import(pathToFileURL(join(data, ...path)).href);
    const replay = (await module('trace', 'replay.mjs')) as Replay;
    const { open } = (await module('flow', 'run.mjs')) as { open(): Promise<Player> };
    for (const vocabulary of [kubernetesVocabulary, orchVocabulary])
      for (const [file, setup] of Object.entries(SETUPS)) {
        const player = await open();
        try {
          const path = join(data, 'flow', 'fixtures', file);
          yield* runFile(replay, player, { path, setup, vocabulary });
        } finally {
          await player.close();
        }
      }
  },
};

interface PlayedFile {
  readonly path: string;
  readonly setup: ServerSetup;
  readonly vocabulary: Vocabulary;
}

async function* runFile(
  replay: Replay,
  player: Player,
  { path, setup, vocabulary }: PlayedFile,
): AsyncIterable<CaseResult> {
  await using server = await startServerUnderTest(vocabulary, setup);
  const client = new replay.Client({ server: server.url, token: 'admin-token' });
  for (const { id, scenario } of readScenarios(replay, [path], vocabulary))
    yield* await playScenario(replay, id, { client, scenario, player });
}
