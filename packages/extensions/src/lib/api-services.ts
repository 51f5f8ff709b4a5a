import { ageColumn, builtInType, column, kindSchema, nameColumn } from '@ashlar/apis';
import {
  type ApiObject,
  decodeBase64,
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  goQuote,
  groupName,
  type Schema,
  type Vocabulary,
  validatePathSegment,
} from '@ashlar/core';
import { type ResourceDefinition, type SubresourceDefinition, withCanonicalMetadata } from '@ashlar/registry';

/** Who serves a version of a group: this server, where no service is named (semantics L7). */
export interface ApiService extends ApiObject {
  readonly spec: ApiServiceSpec;
  readonly status?: ApiServiceStatus;
}

export interface ApiServiceSpec {
  readonly group?: string;
  readonly version?: string;
  /** At least this much priority has the group among groups. */
  readonly groupPriorityMinimum: number;
  /** Priority of the version among those of the group. */
  readonly versionPriority: number;
  /** Another server; none for this one. */
  readonly service?: { readonly namespace?: string; readonly name?: string; readonly port?: number };
  /** Certificates in PEM, base64. */
  readonly caBundle?: string;
  readonly insecureSkipTLSVerify?: boolean;
}

export interface ApiServiceStatus {
  readonly conditions?: readonly ApiServiceCondition[];
}

export interface ApiServiceCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

/** The published names of this group's types; its package is of the vendor's. */
const typeNameOf = ({ namespacePrefix }: Vocabulary, name: string): string =>
  `${namespacePrefix}-aggregator.pkg.apis.apiregistration.v1.${name}`;

type Field = Schema & Required<Pick<Schema, 'tag'>>;
const text = (tag: number, description: string): Field => ({ type: 'string', description, tag });
const number = (tag: number, description: string): Field => ({
  type: 'integer',
  format: 'int32',
  description,
  tag,
});
const printed = (field: Field): Field => ({
  ...field,
  alwaysPrinted: true,
  ...(field.type === 'string' && { default: '' }),
});

function apiServiceSchema(vocabulary: Vocabulary): Schema {
  const service: Schema = {
    type: 'object',
    typeName: typeNameOf(vocabulary, 'ServiceReference'),
    properties: {
      namespace: text(1, 'Namespace of the service.'),
      name: text(2, 'Name of the service.'),
      port: { ...number(3, 'Port of the service, 443 unless said.'), optional: true },
    },
  };
  const spec: Schema = {
    type: 'object',
    typeName: typeNameOf(vocabulary, 'APIServiceSpec'),
    required: ['groupPriorityMinimum', 'versionPriority'],
    properties: {
      service: { ...service, tag: 1, optional: true, description: 'Another server; none for this one.' },
      group: text(2, 'The group that is served.'),
      version: text(3, 'The version that is served.'),
      insecureSkipTLSVerify: {
        type: 'boolean',
        tag: 4,
        description: 'Trusts any certificate of the server.',
      },
      caBundle: {
        type: 'string',
        format: 'byte',
        tag: 5,
        listType: 'atomic',
        description: 'Certificates in PEM that the server’s is checked against.',
      },
      groupPriorityMinimum: printed(
        number(7, 'Priority of the group, the greatest of its versions’; at most 20000.'),
      ),
      versionPriority: printed(number(8, 'Priority of the version within the group; at most 1000.')),
    },
  };
  const condition: Schema = {
    type: 'object',
    typeName: typeNameOf(vocabulary, 'APIServiceCondition'),
    required: ['type', 'status'],
    properties: {
      type: printed(text(1, 'What the condition is about.')),
      status: printed(text(2, 'True, False or Unknown.')),
      lastTransitionTime: {
        type: 'string',
        format: 'date-time',
        typeName: 'apimachinery.pkg.apis.meta.v1.Time',
        tag: 3,
        description: 'When the status last changed.',
        alwaysPrinted: true,
      },
      reason: text(4, 'Why, for programs.'),
      message: text(5, 'Why, for people.'),
    },
  };
  const status: Schema = {
    type: 'object',
    typeName: typeNameOf(vocabulary, 'APIServiceStatus'),
    properties: {
      conditions: {
        type: 'array',
        items: condition,
        tag: 1,
        listType: 'map',
        listMapKeys: ['type'],
        patchStrategy: 'merge',
        patchMergeKey: 'type',
        description: 'What has been found out.',
      },
    },
  };
  return kindSchema(typeNameOf(vocabulary, 'APIService'), 'Who serves a version of a group.', {
    spec: { ...spec, tag: 2, description: 'What is served by whom.' },
    status: { ...status, tag: 3, description: 'Whether it is available.' },
  });
}

const made: WeakMap<Vocabulary, ResourceDefinition> = new WeakMap();

/**
 * The resource type of API services: which versions of groups there are and who serves them (semantics L7). Only those that this
 * server serves itself are taken; the group of another server is refused, since nothing would pass requests on.
 */
export function apiServices(vocabulary: Vocabulary): ResourceDefinition {
  let definition = made.get(vocabulary);
  if (!definition) {
    definition = make(vocabulary);
    made.set(vocabulary, definition);
  }
  return definition;
}

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
      validateName: validatePathSegment,
      allowsUnconditionalUpdate: false,
      prepareForCreate: (object) => withFirstStatus(object as ApiService),
      prepareForUpdate: (object, stored) => withStatus(object, (stored as ApiService).status),
      validate: (object) => apiServiceErrors(object as ApiService),
      validateUpdate: (object) => apiServiceErrors(object as ApiService),
    },
  });
  return { ...declared, names: { ...declared.names, categories: ['api-extensions'] } };
}

const HTTPS_PORT = 443;

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
  return found.status === 'True' ? 'True' : `${found.status} (${found.reason ?? ''})`;
};

function withStatus({ status: _, ...object }: ApiObject & { status?: unknown }, status: unknown): ApiObject {
  return { ...object, status: status ?? {} } as ApiObject;
}

/** What this server serves itself is available from the first. */
function withFirstStatus(object: ApiService): ApiObject {
  if (object.spec.service) return withStatus(object, {});
  const available: ApiServiceCondition = {
    type: 'Available',
    status: 'True',
    lastTransitionTime: object.metadata.creationTimestamp ?? null,
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
  return withStatus(object, { conditions: [available] });
}

const statusSubresource: SubresourceDefinition = {
  name: 'status',
  verbs: ['get', 'patch', 'update'],
  prepareForUpdate: (object, stored) => {
    const { labels, annotations, finalizers, ownerReferences } = stored.metadata;
    const kept = withCanonicalMetadata(object, { labels, annotations, finalizers, ownerReferences });
    return { ...kept, spec: (stored as ApiService).spec } as ApiObject;
  },
  validateUpdate: (object) =>
    ((object as ApiService).status?.conditions ?? []).flatMap(({ status }, index) =>
      STATUSES.includes(status)
        ? []
        : FieldErrors.notSupported(`status.conditions[${index}].status`, status, STATUSES),
    ),
};

const STATUSES = ['True', 'False', 'Unknown'];
const MAXIMUM_GROUP_PRIORITY = 20_000;
const MAXIMUM_VERSION_PRIORITY = 1_000;

function apiServiceErrors({ metadata, spec }: ApiService): readonly FieldError[] {
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0, service } = spec;
  const name = `${version}.${group}`;
  const errors = [
    ...(metadata.name === name
      ? []
      : [
          FieldErrors.invalid(
            'metadata.name',
            metadata.name ?? '',
            `must be \`spec.version+"."+spec.group\`: ${goQuote(name)}`,
          ),
        ]),
    ...groupErrors(group, version),
    ...dns1035LabelErrors(version).map((error) => FieldErrors.invalid('spec.version', version, error)),
    ...priorityErrors('spec.groupPriorityMinimum', groupPriorityMinimum, MAXIMUM_GROUP_PRIORITY),
    ...priorityErrors('spec.versionPriority', versionPriority, MAXIMUM_VERSION_PRIORITY),
    ...(service ? serviceErrors(spec) : localErrors(spec)),
  ];
  if (errors.length > 0 || !service) return errors;
  return [FieldErrors.forbidden('spec.service', 'requests are not passed on to other API servers yet')];
}

function groupErrors(group: string, version: string): readonly FieldError[] {
  if (group !== '')
    return dns1123SubdomainErrors(group).map((error) => FieldErrors.invalid('spec.group', group, error));
  if (version === 'v1') return [];
  const text = 'only v1 may have an empty group and it better be legacy kube';
  return [FieldErrors.required('spec.group', text)];
}

function priorityErrors(path: string, priority: number, maximum: number): readonly FieldError[] {
  if (priority > 0 && priority <= maximum) return [];
  return [FieldErrors.invalid(path, priority, `must be positive and less than ${maximum}`)];
}

function localErrors({ caBundle = '', insecureSkipTLSVerify }: ApiServiceSpec): readonly FieldError[] {
  const errors: FieldError[] = [];
  const size = decodeBase64(caBundle)?.length ?? 0;
  if (size > 0)
    errors.push(
      FieldErrors.invalid('spec.caBundle', `${size} bytes`, 'local APIServices may not have a caBundle'),
    );
  if (insecureSkipTLSVerify)
    errors.push(
      FieldErrors.invalid(
        'spec.insecureSkipTLSVerify',
        true,
        'local APIServices may not have insecureSkipTLSVerify',
      ),
    );
  return errors;
}

function serviceErrors({
  service = {},
  caBundle = '',
  insecureSkipTLSVerify,
}: ApiServiceSpec): readonly FieldError[] {
  const { namespace = '', name = '', port = HTTPS_PORT } = service;
  const errors: FieldError[] = [];
  if (namespace === '') errors.push(FieldErrors.required('spec.service.namespace'));
  if (name === '') errors.push(FieldErrors.required('spec.service.name'));
  if (port < 1 || port > 65_535)
    errors.push(
      FieldErrors.invalid(
        'spec.service.port',
        port,
        'port is not valid: must be between 1 and 65535, inclusive',
      ),
    );
  if (insecureSkipTLSVerify && caBundle !== '')
    errors.push(
      FieldErrors.invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'),
    );
  return errors;
}
