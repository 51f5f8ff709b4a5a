import { withdrawnApiServices } from '@ashlar/aggregation';
import { type VersionForms, versionForms, withdrawnVersions } from '@ashlar/apis/withdrawn';
import type { Vocabulary } from '@ashlar/core';
import { withdrawnDefinitions } from '@ashlar/extensions';

const known: WeakMap<Vocabulary, VersionForms> = new WeakMap();

/** Returns all versions that releases have withdrawn, of the kinds of all packages, with those that replace them. */
export function withdrawnForms(vocabulary: Vocabulary): VersionForms {
  const forms =
    known.get(vocabulary) ??
    versionForms(
      [
        ...withdrawnVersions(vocabulary),
        ...withdrawnDefinitions(vocabulary),
        ...withdrawnApiServices(vocabulary),
      ],
      vocabulary,
    );
  known.set(vocabulary, forms);
  return forms;
}
