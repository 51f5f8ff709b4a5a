import type { Schema } from '@ashlar/core';
import { localObjectReference } from '../../../core/object-reference.ts';
import { boolean, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { embedded, part, quantity, withDefault } from '../../shape-fields.ts';

// Environment variables of containers and their sources.

/** Schema of `ObjectFieldSelector`. */
export const objectFieldSelector: Schema = type(
  'api.core.v1.ObjectFieldSelector',
  {
    apiVersion: withDefault(string(1), 'v1'),
    fieldPath: printed(string(2)),
  },
  { required: ['fieldPath'], mapType: 'atomic' },
);

/** Schema of `ResourceFieldSelector`. */
export const resourceFieldSelector: Schema = type(
  'api.core.v1.ResourceFieldSelector',
  {
    containerName: string(1),
    resource: printed(string(2)),
    divisor: printed(quantity(3)),
  },
  { required: ['resource'], mapType: 'atomic' },
);

const configMapKeySelector = type(
  'api.core.v1.ConfigMapKeySelector',
  {
    ...embedded(1, localObjectReference),
    key: printed(string(2)),
    optional: optional(boolean(3)),
  },
  { required: ['key'], mapType: 'atomic' },
);

const secretKeySelector = type(
  'api.core.v1.SecretKeySelector',
  {
    ...embedded(1, localObjectReference),
    key: printed(string(2)),
    optional: optional(boolean(3)),
  },
  { required: ['key'], mapType: 'atomic' },
);

const envVarSource = type('api.core.v1.EnvVarSource', {
  fieldRef: optional(part(1, objectFieldSelector)),
  resourceFieldRef: optional(part(2, resourceFieldSelector)),
  configMapKeyRef: optional(part(3, configMapKeySelector)),
  secretKeyRef: optional(part(4, secretKeySelector)),
});

/** Schema of `EnvVar`. */
export const envVar: Schema = type(
  'api.core.v1.EnvVar',
  {
    name: printed(string(1)),
    value: string(2),
    valueFrom: optional(part(3, envVarSource)),
  },
  { required: ['name'] },
);

const configMapEnvSource = type('api.core.v1.ConfigMapEnvSource', {
  ...embedded(1, localObjectReference),
  optional: optional(boolean(2)),
});

const secretEnvSource = type('api.core.v1.SecretEnvSource', {
  ...embedded(1, localObjectReference),
  optional: optional(boolean(2)),
});

/** Schema of `EnvFromSource`. */
export const envFromSource: Schema = type('api.core.v1.EnvFromSource', {
  prefix: string(1),
  configMapRef: optional(part(2, configMapEnvSource)),
  secretRef: optional(part(3, secretEnvSource)),
});
