import { DecodeError } from '@ashlar/codec';
import { isJsonObject, orchVocabulary } from '@ashlar/core';
import type { ApiServer } from '../../assembly/api-server.ts';
import { createApiServer } from '../../assembly/create-api-server.ts';
import { resourcesOf } from '../../assembly/resources-of-vocabulary.ts';
import type { CommandSurroundings } from '../command-surroundings.ts';
import type { VetFlags } from '../flags/vet-flags.ts';
import { readFile } from '../read-text-file.ts';
import { UsageError } from '../usage-error.ts';
import { definition } from './definition-files.ts';
import { documentValue, type ManifestDocument, manifestDocuments } from './manifest-documents.ts';
import { vetDocumentExpression } from './vet-document-expression.ts';
import { vetManifest } from './vet-manifest.ts';

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
  const resources = await resourcesOf(vocabulary);
  await using server = createApiServer({ vocabulary, resources, controllers: false });
  await server.ready;
  serveDefinitions(server, documents);
  let status = 0;
  for (const document of documents) {
    const line =
      expression === undefined
        ? await manifestLine(server, document)
        : expressionLine(server, expression, document);
    if (!line.ok) status = 1;
    const print = line.ok ? surroundings.stdout : surroundings.stderr;
    print(`${document.place}: ${line.text}\n`);
  }
  return status;
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

interface Line {
  readonly ok: boolean;
  readonly text: string;
}

async function manifestLine(server: ApiServer, document: ManifestDocument): Promise<Line> {
  const verdict = await vetManifest(server, document);
  return verdict.ok ? { ok: true, text: `${verdict.object} is valid` } : { ok: false, text: verdict.message };
}

function expressionLine(server: ApiServer, expression: string, document: ManifestDocument): Line {
  const result = vetDocumentExpression(server, expression, document);
  if (!result.ok) return { ok: false, text: result.error };
  const { value, type, cost, estimate } = result;
  const bounds = `of ${estimate.min} to ${estimate.max}`;
  return { ok: true, text: `${JSON.stringify(value)} (${type}), cost ${cost} ${bounds}` };
}
