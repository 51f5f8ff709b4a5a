import { DecodeError } from '@ashlar/codec';
import { type ApiObject, errorMessage, type JsonObject, type Vocabulary } from '@ashlar/core';
import type { ApiServer } from '../../assembly/api-server.ts';
import { establishDefinition } from '../../bootstrap/establish-definition.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { readFile } from '../read-text-file.ts';
import { definition } from '../tools/definition-files.ts';
import {
  asApiObject,
  documentValue,
  type ManifestDocument,
  manifestDocuments,
} from '../tools/manifest-documents.ts';
import { StartError, UsageError } from '../usage-error.ts';

/** A custom resource definition of a file. */
export interface DefinitionManifest {
  /** The file, and the document if there are several. */
  readonly place: string;
  readonly object: ApiObject;
}

/**
 * Reads the definitions of `--resources`.
 * @throws UsageError for a file that cannot be read, or contains anything but definitions of the vocabulary
 */
export function definitionsOf(flags: ServeFlags, vocabulary: Vocabulary): readonly DefinitionManifest[] {
  const { resources = [], snapshot } = flags;
  if (resources.length > 0 && snapshot !== undefined)
    throw new UsageError('flag --resources: a snapshot is read-only, so nothing can be added to it');
  return resources.flatMap((file) => {
    try {
      return definitionsIn(file, vocabulary);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new UsageError(`flag --resources: ${error.message}`);
    }
  });
}

function definitionsIn(file: string, vocabulary: Vocabulary): readonly DefinitionManifest[] {
  const documents = manifestDocuments(file, readFile(file));
  if (documents.length === 0) throw new UsageError(`${file} contains no definition`);
  return documents.map((document) => {
    const { place } = document;
    const object = decoded(document);
    if (definition(place, object as unknown as JsonObject, vocabulary).length === 0)
      throw new UsageError(
        `${place} contains no definition of the vocabulary ${vocabulary.name}, but a ${object.kind} of ${object.apiVersion}`,
      );
    return { place, object };
  });
}

function decoded(document: ManifestDocument): ApiObject {
  try {
    return asApiObject(documentValue(document));
  } catch (error) {
    if (!DecodeError.is(error)) throw error;
    throw new UsageError(`${document.place}: ${error.message}`);
  }
}

/**
 * Stores the definitions, one after the other, and waits until their resources are served.
 * @throws StartError that names the first one that the server rejects
 */
export async function establishDefinitions(
  server: ApiServer,
  manifests: readonly DefinitionManifest[],
): Promise<void> {
  for (const { place, object } of manifests) {
    try {
      await establishDefinition(server, object);
    } catch (error) {
      throw new StartError(`${place}: ${errorMessage(error)}`);
    }
  }
}
