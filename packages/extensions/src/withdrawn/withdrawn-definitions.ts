import { type WithdrawnVersion, withdrawnVersion } from '@ashlar/apis/withdrawn';
import type { Vocabulary } from '@ashlar/core';
import { customResourceDefinitions } from '../definitions/definition-resource.ts';
import { oldDefinition } from './old-definition.ts';

/** The versions of definitions before v1. */
export function withdrawnDefinitions(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  return [
    withdrawnVersion(
      customResourceDefinitions(vocabulary),
      { version: 'v1beta1' },
      oldDefinition(vocabulary),
    ),
  ];
}
