import { type WithdrawnVersion, withdrawnVersion } from '@ashlar/apis/withdrawn';
import type { Vocabulary } from '@ashlar/core';
import { apiServices } from './api-services.ts';

/** The versions of API services before v1. */
export function withdrawnApiServices(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  return [withdrawnVersion(apiServices(vocabulary), { version: 'v1beta1' })];
}
