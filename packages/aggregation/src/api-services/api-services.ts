import { ageColumn, builtInType, column, nameColumn } from '@ashlar/apis';
import { type ApiObject, groupName, oncePerVocabulary, type Vocabulary } from '@ashlar/core';
import {
  type ResourceDefinition,
  SUBRESOURCE_VERBS,
  type SubresourceDefinition,
  withCanonicalMetadata,
} from '@ashlar/registry';
import { LOCAL } from '../availability/available-condition.ts';
import type { ApiService, ApiServiceCondition } from './api-service.ts';
import { apiServiceSchema } from './api-service-schema.ts';
import {
  apiServiceErrors,
  apiServiceNameErrors,
  apiServiceStatusErrors,
  HTTPS_PORT,
} from './validate-api-service.ts';

/**
 * The resource type of API services: the versions of groups and their servers
 * (semantics/discovery#aggregation).
 */
export const apiServices: (vocabulary: Vocabulary) => ResourceDefinition = oncePerVocabulary(make);

function make(vocabulary: Vocabulary): ResourceDefinition {
  const declared = builtInType({
    group: groupName(vocabulary, 'apiregistration.'),
    kind: 'APIService',
    plural: 'apiservices',
    scope: 'Cluster',
    version: {
      schema: apiServiceSchema(vocabulary),
      complete: (object) => withPort(object as ApiService),
      columns: [
        nameColumn,
        column('Service', 'Who serves it.', serviceText),
        column('Available', 'Whether it is available.', availability),
        ageColumn,
      ],
      subresources: [statusSubresource],
    },
    strategy: {
      qualifiedFinalizers: false,
      validateName: (name, _, object) => apiServiceNameErrors(name, object as ApiService),
      allowsUnconditionalUpdate: false,
      prepareForCreate: (object) => withFirstStatus(object as ApiService),
      prepareForUpdate: (object, stored) => withStatus(object, (stored as ApiService).status),
      validate: (object) => apiServiceErrors(object as ApiService, vocabulary),
      validateUpdate: (object) => apiServiceErrors(object as ApiService, vocabulary),
    },
  });
  return { ...declared, names: { ...declared.names, categories: ['api-extensions'] } };
}

function withPort(object: ApiService): ApiService {
  const { service } = object.spec ?? {};
  if (!service || service.port !== undefined) return object;
  return { ...object, spec: { ...object.spec, service: { ...service, port: HTTPS_PORT } } };
}

const serviceText = (object: ApiObject): string => {
  const { service } = (object as ApiService).spec;
  return service ? `${service.namespace}/${service.name}` : 'Local';
};

const availability = (object: ApiObject): string => {
  const found = (object as ApiService).status?.conditions?.find(({ type }) => type === 'Available');
  if (!found) return 'Unknown';
  const { status, reason = '' } = found;
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
};

function withStatus({ status: _, ...object }: ApiObject & { status?: unknown }, status: unknown): ApiObject {
  return { ...object, status: status ?? {} } as ApiObject;
}

/** API services of this server are available immediately. */
function withFirstStatus(object: ApiService): ApiObject {
  if (object.spec.service) return withStatus(object, {});
  const available: ApiServiceCondition = {
    type: 'Available',
    ...LOCAL,
    lastTransitionTime: object.metadata.creationTimestamp ?? null,
  };
  return withStatus(object, { conditions: [available] });
}

const statusSubresource: SubresourceDefinition = {
  name: 'status',
  verbs: SUBRESOURCE_VERBS,
  resetFields: [['metadata'], ['spec']],
  prepareForUpdate: (object, stored) => {
    const { labels, annotations, finalizers, ownerReferences } = stored.metadata;
    const base = withCanonicalMetadata(object, { labels, annotations, finalizers, ownerReferences });
    return { ...base, spec: (stored as ApiService).spec } as ApiObject;
  },
  validateUpdate: (object) => apiServiceStatusErrors(object as ApiService),
};
