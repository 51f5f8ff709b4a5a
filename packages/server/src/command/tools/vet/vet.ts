import { DecodeError } from '@ashlar/codec';
import { isJsonObject, orchVocabulary, type UserInfo, type Vocabulary } from '@ashlar/core';
import type { ApiCatalog } from '@ashlar/http';
import type { ApiServer } from '../../../assembly/api-server.ts';
import { createApiServer } from '../../../assembly/create-api-server.ts';
import { resourcesOf } from '../../../assembly/resources-of-vocabulary.ts';
import type { CommandSurroundings } from '../../command-surroundings.ts';
import type { VetFlags } from '../../flags/tools/vet-flags.ts';
import { readFile } from '../../read-text-file.ts';
import { UsageError } from '../../usage-error.ts';
import { definition } from '../definition-files.ts';
import { documentValue, type ManifestDocument, manifestDocuments } from '../manifest-documents.ts';
import { MutationTrial } from './mutation-trial.ts';
import { OldObjects } from './old-objects.ts';
import { readPolicies, type VettedPolicies } from './read-policies.ts';
import { requireSense } from './require-sense.ts';
import { vetDocumentExpression } from './vet-document-expression.ts';
import { vetManifest } from './vet-manifest.ts';
import { paramKindIn, vetPolicies } from './vet-policies.ts';
import { type VetLine, VetReport } from './vet-report.ts';

/**
 * Runs `ashlar vet`: reports for every document of the files whether a server would accept it, or the value of an expression over it,
 * without a running server.
 * @returns the exit status: 1 where a document was rejected or the expression failed
 * @throws UsageError
 */
export async function vet(
  flags: VetFlags,
  files: readonly string[],
  surroundings: CommandSurroundings,
): Promise<number> {
  if (files.length === 0) throw new UsageError('vet needs a file');
  const documents = files.flatMap((file) => documentsOf(file));
  const { vocabulary = orchVocabulary, expression } = flags;
  requireSense(flags);
  const olds = flags.old === undefined ? OldObjects.none : OldObjects.read(flags.old, documents);
  const policies =
    flags.policies === undefined ? undefined : readPolicies({ ...flags, policies: flags.policies });
  const resources = await resourcesOf(vocabulary);
  const context = { olds, policies, user: userOf(flags), explain: flags.explain ?? false };
  const mutations = policies && mutationTrial(policies, context, vocabulary, () => server.catalog);
  await using server = createApiServer({
    ...{ vocabulary, resources, controllers: false },
    ...(mutations && { admission: [mutations.plugin] }),
  });
  await server.ready;
  serveDefinitions(server, documents);
  const report = new VetReport(flags.output ?? 'text', surroundings);
  for (const document of documents) {
    const lines =
      expression === undefined
        ? await manifestLines(server, document, context, mutations)
        : [expressionLine(server, expression, document)];
    for (const line of lines) report.add(document, line);
  }
  report.end();
  return report.hasErrors ? 1 : 0;
}

/** Serves the types that the documents define, for objects of them. What is wrong with a definition is said where it is vetted. */
function serveDefinitions(server: ApiServer, documents: readonly ManifestDocument[]): void {
  for (const document of documents) {
    try {
      const value = documentValue(document);
      if (!isJsonObject(value)) continue;
      for (const found of definition(document.place, value, server.vocabulary)) server.serve(found);
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof TypeError || DecodeError.is(error))) throw error;
    }
  }
}

function documentsOf(file: string): readonly ManifestDocument[] {
  const documents = manifestDocuments(file, readFile(file));
  if (documents.length === 0) throw new UsageError(`${file} contains no document`);
  return documents;
}

/** What a document is checked with. */
interface ManifestContext {
  readonly olds: OldObjects;
  readonly policies: VettedPolicies | undefined;
  readonly user: UserInfo | undefined;
  readonly explain: boolean;
}

function mutationTrial(
  policies: VettedPolicies,
  { user, explain }: ManifestContext,
  vocabulary: Vocabulary,
  catalog: () => ApiCatalog,
): MutationTrial | undefined {
  if (policies.mutating.length === 0) return undefined;
  const findParamKind = (apiVersion: string, kind: string) => paramKindIn(catalog(), apiVersion, kind);
  return new MutationTrial(policies, { vocabulary, user, explain, findParamKind });
}

/** The first line is about the object, the others are the result of each policy. */
async function manifestLines(
  server: ApiServer,
  document: ManifestDocument,
  { olds, policies, user, explain }: ManifestContext,
  mutations: MutationTrial | undefined,
): Promise<readonly VetLine[]> {
  mutations?.begin();
  const verdict = await vetManifest(server, document, olds);
  const changes = mutations?.lines() ?? [];
  if (!verdict.ok)
    return mutations?.denies ? changes : [errorLine(verdict.message, verdict.line), ...changes];
  const valid = { text: `${verdict.object} is valid` };
  if (!policies) return [valid];
  const { admitted: object, old: oldObject, resource } = verdict;
  const { vocabulary, catalog } = server;
  const write = { object, oldObject, resource, user, vocabulary, catalog, explain };
  return [valid, ...changes, ...(await vetPolicies(policies, write))];
}

const errorLine = (message: string, line?: number): VetLine => ({
  text: message,
  problem: { severity: 'error', message, ...(line !== undefined && { line }) },
});

function userOf({ user, groups = [] }: VetFlags): UserInfo | undefined {
  return user === undefined ? undefined : { name: user, groups };
}

function expressionLine(server: ApiServer, expression: string, document: ManifestDocument): VetLine {
  const result = vetDocumentExpression(server, expression, document);
  if (!result.ok) return errorLine(result.error);
  const { value, type, cost, estimate } = result;
  const bounds = `of ${estimate.min} to ${estimate.max}`;
  return { text: `${JSON.stringify(value)} (${type}), cost ${cost} ${bounds}` };
}
