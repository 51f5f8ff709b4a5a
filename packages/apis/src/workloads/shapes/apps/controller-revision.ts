import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { int64, printed } from '../../../types/schema-fields.ts';
import { rawExtension } from '../../shape-fields.ts';

// Revisions of controllers.

/** Schema of `ControllerRevision`. */
export const controllerRevisionSchema: Schema = kindSchema(
  'api.apps.v1.ControllerRevision',
  'What a controller wanted at some time; never changes.',
  {
    data: printed(rawExtension(2)),
    revision: printed(int64(3)),
  },
  { required: ['revision'] },
);
