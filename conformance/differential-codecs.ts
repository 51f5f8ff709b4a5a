// Asks a reference and a server of this project the same questions, drawn from a seed, about bodies and answers in Protobuf or CBOR, and
// compares all documents of discovery and OpenAPI:
//   npx tsx --conditions=@ashlar/source conformance/differential-codecs.ts --reference https://HOST:PORT --ca ca.crt --token TOKEN
//     [--seed 1] [--rounds 500] [--show 20] [--only documents|objects] [--cbor]
// Fails if an answer differs. With --cbor the bodies are CBOR; the reference must have the feature gate CBORServingAndStorage, as our
// server has then.
import { parseArgs } from 'node:util';
import { compileProtobuf, listSchema, metaKindSchema, type ProtobufCodec } from '@ashlar/codec';
import { type JsonValue, kubernetesVocabulary } from '@ashlar/core';
import { type Answer, Caller } from './backup/caller.ts';
import { collectionsOf, pathIn } from './backup/collections.ts';
import { recordedObjects } from './backup/recorded-writes.ts';
import { cborBodies } from './codecs/cbor-bodies.ts';
import { Choices } from './codecs/choices.ts';
import { type CodecLookup, differenceOf } from './codecs/compared-responses.ts';
import { customType, questionedDefinition } from './codecs/custom-type.ts';
import { documentDifferences, documentQuestions } from './codecs/documents.ts';
import { ObjectQuestions, type Question, type QuestionedType } from './codecs/object-questions.ts';
import { protobufBodies } from './codecs/protobuf-bodies.ts';
import { Tally } from './codecs/tally.ts';
import { declaredSchemas } from './declared-schemas.ts';
import { referenceFlags, startPeers } from './peers.ts';

const { values } = parseArgs({
  options: {
    ...referenceFlags,
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '500' },
    only: { type: 'string' },
    cbor: { type: 'boolean', default: false },
  },
});

/** What would refuse or change what others write, or would need time to be served or gone. */
const NEVER_CREATED =
  /webhookconfigurations|admissionpolic|customresourcedefinitions|apiservices|namespaces|flowcontrol|priorityclasses|resourcequotas|nodes|certificatesigningrequests/;

/** One of so many questions is about a custom type. */
const CUSTOM_SHARE = 4;

await using peers = await startPeers(values, values.cbor ? { gates: 'CBORServingAndStorage=true' } : {});
using ours = new Caller(peers.ours);
using theirs = new Caller(peers.theirs);
const schemas = declaredSchemas();
const codecs = codecLookup();
const choices = new Choices(Number(values.seed));
const run = Date.now().toString(36);
const namespace = `codecs-${run}`;
const tally = new Tally();

if (values.only !== 'objects') await compareDocuments();
if (values.only !== 'documents') await compareObjects(Number(values.rounds));
tally.print(Number(values.show));
process.exitCode = tally.different === 0 ? 0 : 1;

async function compareDocuments(): Promise<void> {
  for (const { path, accept } of await documentQuestions(theirs, values.cbor)) {
    const [here, there] = await Promise.all([ours.ask(path, { accept }), theirs.ask(path, { accept })]);
    const about = `${path} as ${accept}`;
    if (here.status !== there.status) tally.count(about, `${here.status} ≠ ${there.status}`);
    else if (accept === 'application/cbor') tally.count(about, differenceOf(here, there, codecs));
    else if (!accept.startsWith('application/json'))
      tally.count(about, path === '/api' || here.body.equals(there.body) ? undefined : 'other bytes');
    else tally.countAll(about, documentDifferences(parsed(here.body), parsed(there.body)));
  }
}

function parsed(body: Buffer): JsonValue {
  return JSON.parse(body.toString()) as JsonValue;
}

async function compareObjects(rounds: number): Promise<void> {
  const questions = new ObjectQuestions(choices, namespace, values.cbor ? cborBodies : protobufBodies);
  const types = await questionedTypes();
  if (values.cbor) {
    await createDefinition();
    for (let i = types.length / (CUSTOM_SHARE - 1); i > 0; i--) types.push(customType);
  }
  for (const caller of [ours, theirs])
    await caller.ask('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: namespace } } });
  for (let round = 0; round < rounds; round++) {
    const type = choices.pick(types);
    const name = `c${round}-${run}`;
    const creation = questions.creation(type, name);
    if (creation) await compare(creation);
    if (round % 5 === 0 && !NEVER_CREATED.test(`${type.collection.root}/${type.collection.plural}`))
      await compareExisting(questions, type, name);
  }
}

/** Creates the custom type on both servers and waits until they serve it. */
async function createDefinition(): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  for (const caller of [ours, theirs]) {
    await caller.ask(path, { method: 'POST', body: questionedDefinition });
    const list = pathIn(customType.collection, namespace);
    while ((await caller.ask(list)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function compareExisting(
  questions: ObjectQuestions,
  type: QuestionedType,
  name: string,
): Promise<void> {
  const preparation = questions.preparation(type, name);
  if (!preparation || (await compare(preparation)) !== 201) return;
  for (const question of questions.about(type, name)) await compare(question);
  const path = pathIn(type.collection, namespace, name);
  for (const caller of [ours, theirs])
    await answer(caller, `${path}?gracePeriodSeconds=0&propagationPolicy=Background`, { method: 'DELETE' });
}

/** The answer of a server; status 0 if it closes the connection, as the reference does where it breaks down. */
async function answer(caller: Caller, path: string, question: Parameters<Caller['ask']>[1]): Promise<Answer> {
  try {
    return await caller.ask(path, question);
  } catch {
    return { status: 0, type: '', body: Buffer.alloc(0) };
  }
}

/** How often a question is asked again whose answers differ: servers visit maps in another order each time, and ages pass. */
const MOST_TRIES = 12;

/** Asks both and compares; returns the status where it is the same. */
async function compare({ about, path, sent, ...question }: Question): Promise<number | undefined> {
  const asked = () => Promise.all([answer(ours, path, question), answer(theirs, path, question)]);
  let [here, there] = await asked();
  let found = differenceOf(here, there, codecs);
  const isRepeatable = question.method === 'GET' || path.includes('dryRun=All');
  for (let tries = 0; found && isRepeatable && tries < MOST_TRIES; tries++) {
    [here, there] = await asked();
    found = differenceOf(here, there, codecs);
  }
  tally.count(about, found && `${found}\n    sent   ${path} ${JSON.stringify(sent)}`);
  return here.status === there.status ? here.status : undefined;
}

async function questionedTypes(): Promise<QuestionedType[]> {
  const collections = await collectionsOf(theirs);
  return recordedObjects(import.meta.dirname).flatMap((template) => {
    const { apiVersion, kind } = template as { readonly apiVersion?: string; readonly kind: string };
    const collection = collections.find((each) => each.kind === kind && each.apiVersion === apiVersion);
    const schema = schemas.get(`${apiVersion} ${kind}`);
    return collection?.creatable && schema ? [{ collection, schema, template }] : [];
  });
}

function codecLookup(): CodecLookup {
  const found = new Map<string, ProtobufCodec | undefined>();
  const make = (apiVersion: string, kind: string): ProtobufCodec | undefined => {
    const item = schemas.get(`${apiVersion} ${kind.replace(/List$/, '')}`);
    const list = item && kind.endsWith('List') ? listSchema(item) : undefined;
    const schema =
      metaKindSchema(kubernetesVocabulary, apiVersion, kind) ?? schemas.get(`${apiVersion} ${kind}`) ?? list;
    return schema && compileProtobuf(schema);
  };
  return (apiVersion, kind) => {
    const key = `${apiVersion} ${kind}`;
    if (!found.has(key)) found.set(key, make(apiVersion, kind));
    return found.get(key);
  };
}
