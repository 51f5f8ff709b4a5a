import { withdrawnApiServices } from '@ashlar/aggregation';
import { type VersionForms, versionForms, withdrawnVersions } from '@ashlar/apis/withdrawn';
import type { Vocabulary } from '@ashlar/core';
import { withdrawnDefinitions } from '@ashlar/extensions';

const formsByVocabulary: WeakMap<Vocabulary, VersionForms> = new WeakMap();

/** Returns all versions that releases have withdrawn, of the kinds of all packages, with those that replace them. */
export function withdrawnForms(vocabulary: Vocabulary): VersionForms {
  const forms =
    formsByVocabulary.get(vocabulary) ??
    versionForms(
      [
        ...withdrawnVersions(vocabulary),
        ...withdrawnDefinitions(vocabulary),
        ...withdrawnApiServices(vocabulary),
      ],
      vocabulary,
    );
  formsByVocabulary.set(vocabulary, forms);
  return forms;
}
