import type { ResourceDefinition } from '../definition/resource-definition.ts';
import type { ResourceStorage } from '../definition/resource-storage.ts';
import { type ResourceEnvironment, StoredResource } from '../definition/stored-resource.ts';
import { admitCreate } from './create.ts';

/** Returns the verbs of objects that are answered and not stored, whose creation both chains of admission are asked about. */
export function withAdmission(
  definition: ResourceDefinition,
  storage: ResourceStorage,
  environment: ResourceEnvironment,
): ResourceStorage {
  const { create } = storage;
  if (!create) return storage;
  const resource = new StoredResource(definition, environment);
  return {
    ...storage,
    async create(context, submitted) {
      const object = await admitCreate(resource, context, submitted);
      const { name = '' } = object.metadata;
      await environment.admission.validate(resource.admissionRequest(context, 'CREATE', { name, object }));
      return create.call(storage, context, object);
    },
  };
}
