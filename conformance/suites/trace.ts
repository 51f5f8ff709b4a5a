import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import type { ServerSetup } from '../access-under-test.ts';
import { createClientCertificates } from '../client-certificates.ts';
import { startServerUnderTest } from '../server-under-test.ts';
import type { CaseResult, Suite } from '../suite.ts';

/** Supported recordings: their files. */
const IMPLEMENTED = {
  files:
    /^(crd|crud|list|watch|table|encode|patch|apply|validate|openapi|health|access|garbage)-|^flow-|^admission-(invalid|policy|params|mutating|plugins)/,
  /** Scenarios of `admission-plugins`. */
  plugins: /./,
};

/** Options of the server of a file in addition to those of all; with them, other responses would differ. */
const SETUPS: Readonly<Record<string, Setup>> = {
  'admission-mutating-policy.json': {
    gates: 'MutatingAdmissionPolicy=true',
    alphaVersions: [['admissionregistration.', 'v1alpha1']],
  },
  'admission-plugins.json': { accounts: true },
  'encode-cbor.json': { gates: 'CBORServingAndStorage=true' },
  'access-abac.json': { policyFile: 'abac.jsonl' },
  'access-anonymous.json': { anonymous: false },
  'access-node.json': { nodes: true },
  'access-proxy.json': { clientCertificates: true, proxy: true },
  'access-x509.json': { clientCertificates: true },
};
const ORDINARY: Setup = {};

interface Setup
  extends Pick<ServerSetup, 'gates' | 'alphaVersions' | 'nodes' | 'accounts' | 'anonymous' | 'proxy'> {
  /** Next to the fixtures; it replaces roles. */
  readonly policyFile?: string;
  /** Whether callers present certificates, and so TLS is used. */
  readonly clientCertificates?: boolean;
}

interface Step {
  readonly id?: string;
  readonly request?: { readonly base64?: string; readonly method?: string; readonly path?: string };
  readonly expect: unknown;
}
interface Waiting {
  readonly file: string;
  readonly scenario: Scenario;
}
interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}
interface Player {
  readonly Client: new (options: {
    server: string;
    token: string;
    ca?: string;
    certificates?: string;
  }) => object;
  play(run: { client: object; scenario: Scenario; visit(step: Step, seen: unknown): void }): Promise<void>;
  grade(step: Step, seen: unknown): { exact: boolean; diff: readonly string[] };
  toOrch(text: string): string;
}

/** Recorded exchanges with the reference, step by step, in both vocabularies. */
export const suite: Suite = {
  name: 'trace',
  async *run(data) {
    const player = (await import(pathToFileURL(join(data, 'trace', 'replay.mjs')).href)) as Player;
    for (const vocabulary of [kubernetesVocabulary, orchVocabulary])
      yield* runVocabulary(player, data, vocabulary);
  },
};

/** Concurrent scenarios: most of their time they wait for the absence of events. */
const PARALLEL = 12;

async function* runVocabulary(
  player: Player,
  data: string,
  vocabulary: Vocabulary,
): AsyncIterable<CaseResult> {
  const folder = join(data, 'trace');
  const all = readScenarios(player, join(folder, 'fixtures'), vocabulary);
  for (const setup of [ORDINARY, ...Object.values(SETUPS)]) {
    const mine = all.filter(({ file }) => (SETUPS[file] ?? ORDINARY) === setup);
    yield* await runSetup(player, folder, vocabulary, setup, mine);
  }
}

/** Plays the scenarios of one server. */
async function runSetup(
  player: Player,
  folder: string,
  vocabulary: Vocabulary,
  { policyFile, clientCertificates, ...rest }: Setup,
  scenarios: readonly Waiting[],
): Promise<CaseResult[]> {
  using certificates = clientCertificates ? await createClientCertificates() : undefined;
  const policies =
    policyFile !== undefined && inWordsOf(vocabulary, player, readFileSync(join(folder, policyFile), 'utf8'));
  await using server = await startServerUnderTest(vocabulary, {
    ...rest,
    ...(policies && { policies }),
    ...(certificates && { certificates }),
  });
  const client = new player.Client({
    server: server.url,
    token: 'admin-token',
    ...(certificates && { ca: certificates.authorityFile, certificates: certificates.folder }),
  });
  const results: CaseResult[] = [];
  for (const { file, scenario } of scenarios.filter(isUndisturbed))
    results.push(...(await runScenario(player, client, file, scenario, vocabulary)));
  const waiting = queuesOf(scenarios.filter((each) => !isUndisturbed(each)));
  const work = async (): Promise<void> => {
    for (let queue = waiting.shift(); queue; queue = waiting.shift()) {
      for (const { file, scenario } of queue)
        results.push(...(await runScenario(player, client, file, scenario, vocabulary)));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return results;
}

/** Scenarios that need the served groups to stay the same for a while. */
const isUndisturbed = ({ file }: Waiting): boolean => file === 'access-headers.json';

/** Groups of concurrent scenarios: those about permissions share their users, those about flows their objects, and run in sequence. */
function queuesOf(scenarios: readonly Waiting[]): Waiting[][] {
  const isShared = ({ scenario }: Waiting): boolean =>
    /alice|impersonate|clusterrolebindings/i.test(JSON.stringify(scenario.steps));
  const isFlow = ({ file }: Waiting): boolean => file.startsWith('flow-');
  const others = scenarios.filter((each) => !isFlow(each));
  const alone = others.filter((each) => !isShared(each)).map((each) => [each]);
  return [scenarios.filter(isFlow), others.filter(isShared), ...alone];
}

const inWordsOf = (vocabulary: Vocabulary, player: Player, text: string): string =>
  vocabulary === orchVocabulary ? player.toOrch(text) : text;

function readScenarios(player: Player, folder: string, vocabulary: Vocabulary): Waiting[] {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const scenarios = JSON.parse(inWordsOf(vocabulary, player, text)) as Scenario[];
      return scenarios.map((scenario) => ({ file, scenario }));
    });
}

async function runScenario(
  player: Player,
  client: object,
  file: string,
  scenario: Scenario,
  vocabulary: Vocabulary,
): Promise<CaseResult[]> {
  const id = `${vocabulary.name}: ${file}: ${scenario.name}`;
  const reason = reasonToSkip(file, scenario, vocabulary);
  if (reason) return [{ id, outcome: 'skipped', reason }];
  for (let attempt = 1; ; attempt++) {
    const start = second();
    const results = await playScenario(player, client, id, scenario);
    const isComparable = second() === start || attempt === ATTEMPTS;
    if (isComparable || !results.some(dependsOnSeconds)) return results;
  }
}

const ATTEMPTS = 5;

const second = (): number => Math.floor(Date.now() / 1000);

/** Owners of fields are in the order of the second of their last change: what was recorded within one second is compared with such a run. */
const dependsOnSeconds = (result: CaseResult): boolean =>
  result.outcome === 'failed' && /managedFields/.test(JSON.stringify(result.expected));

async function playScenario(
  player: Player,
  client: object,
  id: string,
  scenario: Scenario,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  const visit = (step: Step, seen: unknown): void => {
    const { exact, diff } = player.grade(step, JSON.parse(JSON.stringify(seen)));
    const step_ = `${id}: ${step.id ?? results.length + 1}`;
    if (exact) results.push({ id: step_, outcome: 'passed' });
    else
      results.push({
        id: step_,
        outcome: 'failed',
        input: step.request ?? 'collect',
        expected: diff,
        actual: seen,
      });
  };
  await player.play({ client, scenario, visit });
  return results;
}

function reasonToSkip(file: string, scenario: Scenario, vocabulary: Vocabulary): string | undefined {
  const isPlugin = file === 'admission-plugins.json';
  if (!IMPLEMENTED.files.test(file) || (isPlugin && !IMPLEMENTED.plugins.test(scenario.name)))
    return 'scenarios of features that are not implemented';
  if (vocabulary !== orchVocabulary) return undefined;
  if (scenario.steps.some(hasVendorBytes))
    return 'binary bodies with names of the other vocabulary cannot be translated';
  const hasHashes = scenario.name === 'discovery: resources of chosen group versions';
  return hasHashes ? 'hashes of names of the other vocabulary cannot be translated' : undefined;
}

/** Names are length-prefixed in binary bodies: they cannot be replaced in the text of a fixture. */
function hasVendorBytes({ request, expect }: Step): boolean {
  const strings = [request?.base64, ...stringsIn(expect)].filter((text) => text !== undefined);
  return strings.some((text) => {
    const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]{16,}=*$/.test(text);
    return isBase64 && /k8s|kube/i.test(Buffer.from(text, 'base64').toString('latin1'));
  });
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
