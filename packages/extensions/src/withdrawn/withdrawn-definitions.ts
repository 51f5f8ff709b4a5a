import { type WithdrawnVersion, withdrawnVersion } from '@ashlar/apis/withdrawn';
import type { Vocabulary } from '@ashlar/core';
import { apiServices } from '../api-services/api-services.ts';
import { customResourceDefinitions } from '../definitions/definition-resource.ts';
import { oldDefinition } from './old-definition.ts';

/** The versions of definitions and API services before v1. */
export function withdrawnDefinitions(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  return [
    withdrawnVersion(apiServices(vocabulary), { version: 'v1beta1' }),
    withdrawnVersion(
      customResourceDefinitions(vocabulary),
      { version: 'v1beta1' },
      oldDefinition(vocabulary),
    ),
  ];
}
