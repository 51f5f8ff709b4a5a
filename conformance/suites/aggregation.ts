import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import { type ClientCertificates, createClientCertificates } from '../client-certificates.ts';
import { startServerUnderTest } from '../server-under-test.ts';
import type { CaseResult, Suite } from '../suite.ts';

interface Step {
  readonly id?: string;
  readonly expect: unknown;
}
interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}
interface Player {
  close(): Promise<void>;
}
interface Replay {
  readonly Client: new (options: { server: string; token: string; ca: string }) => object;
  play(run: {
    client: object;
    scenario: Scenario;
    player: Player;
    visit(step: Step, seen: unknown): void;
  }): Promise<void>;
  grade(step: Step, seen: unknown): { exact: boolean; diff: readonly string[] };
  toOrch(text: string): string;
}

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
  for (const { file, scenario } of scenariosOf(replay, data, vocabulary)) {
    const id = `${vocabulary.name}: ${file}: ${scenario.name}`;
    const results: CaseResult[] = [];
    const visit = (step: Step, seen: unknown): void => {
      const { exact, diff } = replay.grade(step, JSON.parse(JSON.stringify(seen)));
      const ofStep = `${id}: ${step.id ?? results.length + 1}`;
      if (exact) results.push({ id: ofStep, outcome: 'passed' });
      else results.push({ id: ofStep, outcome: 'failed', input: step, expected: diff, actual: seen });
    };
    await replay.play({ client, scenario, player, visit });
    yield* results;
  }
}

function scenariosOf(
  { toOrch }: Replay,
  data: string,
  vocabulary: Vocabulary,
): readonly { readonly file: string; readonly scenario: Scenario }[] {
  const folder = join(data, 'aggregation', 'fixtures');
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const scenarios = JSON.parse(vocabulary === orchVocabulary ? toOrch(text) : text) as Scenario[];
      return scenarios.map((scenario) => ({ file, scenario }));
    });
}
