import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  type Vocabulary,
  validateDnsLabel,
  validateFinalizers,
  validateQualifiedFinalizers,
} from '@ashlar/core';
import {
  type ResourceDefinition,
  SUBRESOURCE_VERBS,
  type SubresourceDefinition,
  withCanonicalMetadata,
} from '@ashlar/registry';
import { builtInType } from '../types/built-in-type.ts';
import { ageColumn, column, nameColumn } from '../types/columns.ts';
import { kindSchema } from '../types/kind-schema.ts';
import {
  atomic,
  keyedBy,
  list,
  printed,
  string,
  stringList,
  struct,
  time,
  type,
} from '../types/schema-fields.ts';
import { withEntry } from '../types/sorted-map.ts';

/** A namespace: the scope of names of most kinds (semantics/lifecycle#namespaces). */
export interface Namespace extends ApiObject {
  readonly spec?: NamespaceSpec;
  readonly status?: NamespaceStatus;
}

/** The spec of a namespace. */
export interface NamespaceSpec {
  readonly finalizers?: readonly string[];
}

/** The state of a namespace. */
export interface NamespaceStatus {
  readonly phase?: string;
  readonly conditions?: readonly NamespaceCondition[];
}

/** How far the deletion of a namespace is. */
export interface NamespaceCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

const condition = type(
  'api.core.v1.NamespaceCondition',
  {
    type: printed(
      string(1, 'What the condition is about.', { typeName: 'api.core.v1.NamespaceConditionType' }),
    ),
    status: printed(string(2, 'True, False or Unknown.', { typeName: 'api.core.v1.ConditionStatus' })),
    lastTransitionTime: time(4, 'When the status last changed.'),
    reason: string(5, 'The cause in one word.'),
    message: string(6, 'The cause for people.'),
  },
  { required: ['type', 'status'] },
);

const schema = kindSchema('api.core.v1.Namespace', 'The scope of names of most kinds.', {
  spec: struct(
    2,
    'What is wanted of the namespace.',
    type('api.core.v1.NamespaceSpec', {
      finalizers: {
        ...stringList(1, 'Who must let go before the namespace can be removed.', atomic),
        items: { type: 'string', typeName: 'api.core.v1.FinalizerName', default: '' },
      },
    }),
  ),
  status: struct(
    3,
    'The state of the namespace.',
    type('api.core.v1.NamespaceStatus', {
      phase: string(1, 'Active, or Terminating once it is being deleted.', {
        typeName: 'api.core.v1.NamespacePhase',
        enum: ['Active', 'Terminating'],
      }),
      conditions: list(2, 'How far its deletion is.', condition, keyedBy('type')),
    }),
  ),
});

/**
 * Namespaces (semantics/lifecycle#namespaces). The finalizer of the vocabulary's name holds a namespace that
 * is being deleted until a controller has emptied it and removes the finalizer through `finalize`.
 */
export function namespaces(vocabulary: Vocabulary): ResourceDefinition {
  const labelled = (object: Namespace): Namespace => withNameLabel(object, vocabulary);
  return builtInType({
    group: '',
    kind: 'Namespace',
    plural: 'namespaces',
    shortNames: ['ns'],
    scope: 'Cluster',
    withoutVerbs: ['deletecollection'],
    version: {
      schema,
      complete: (object: Namespace) => labelled(withPhase(object, phaseOf(object) || 'Active')),
      columns: [nameColumn, column('Status', 'Whether it is active or being deleted.', phaseOf), ageColumn],
      selectableFields: { names: ['status.phase'], valueOf: phaseOf, withoutNamespace: true },
      subresources: [statusSubresource(labelled), finalizeSubresource(labelled, vocabulary)],
    },
    strategy: {
      updateChecks: ['metadata', 'object', 'metadata-change'],
      validateName: validateDnsLabel,
      marksBeforeDeletion: true,
      foregroundWithoutOrphans: true,
      returnsDeletedObject: true,
      // a generated name is known only now
      prepareForCreate: (object) => labelled(newNamespace(object, vocabulary.name)),
      prepareForUpdate: (object, stored) =>
        labelled({ ...object, spec: stored.spec, status: stored.status } as Namespace),
      validate: (object) =>
        fieldErrorsOf(finalizersOf(object), (name) => finalizerErrors(name, 'spec.finalizers', vocabulary)),
      markDeleted: (object) => withPhase(object, 'Terminating'),
      isHeld: (object) => finalizersOf(object).length > 0,
    },
  });
}

const finalizersOf = (object: Namespace): readonly string[] => object.spec?.finalizers ?? [];

function phaseOf(object: Namespace): string {
  return object.status?.phase ?? '';
}

function withPhase(object: Namespace, phase: string): Namespace {
  const { phase: _, ...rest } = object.status ?? {};
  return { ...object, status: { phase, ...rest } };
}

function newNamespace(object: Namespace, finalizer: string): Namespace {
  const submitted = finalizersOf(object);
  const finalizers = submitted.includes(finalizer) ? submitted : [...submitted, finalizer];
  const { spec: _, status: __, ...rest } = object;
  return { ...rest, spec: { finalizers }, status: { phase: 'Active' } };
}

function withNameLabel(object: Namespace, { labelDomain }: Vocabulary): Namespace {
  const { name = '', labels = {} } = object.metadata;
  const key = `${labelDomain}/metadata.name`;
  return name === '' || labels[key] === name
    ? object
    : withCanonicalMetadata(object, { labels: withEntry(labels, key, name) });
}

function statusSubresource(labelled: (object: Namespace) => Namespace): SubresourceDefinition {
  return {
    name: 'status',
    verbs: SUBRESOURCE_VERBS,
    prepareForUpdate: (object, stored) => labelled({ ...object, spec: stored.spec } as Namespace),
    validateUpdate: (object) => phaseErrors(object),
  };
}

/** The phase follows the deletion timestamp. */
function phaseErrors(object: Namespace): readonly FieldError[] {
  const marked = object.metadata.deletionTimestamp !== undefined;
  const expectedPhase = marked ? 'Terminating' : 'Active';
  const phase = phaseOf(object);
  if (phase === expectedPhase) return [];
  const when = marked ? 'is not empty' : 'is empty';
  return [
    FieldErrors.invalid(
      'status.Phase',
      phase,
      `may only be '${expectedPhase}' if \`deletionTimestamp\` ${when}`,
    ),
  ];
}

function finalizeSubresource(
  labelled: (object: Namespace) => Namespace,
  vocabulary: Vocabulary,
): SubresourceDefinition {
  return {
    name: 'finalize',
    verbs: ['update'],
    resetFields: [['status']],
    prepareForUpdate: (object, stored) => labelled({ ...object, status: stored.status } as Namespace),
    validateUpdate: (object) =>
      fieldErrorsOf(finalizersOf(object), (name, i) =>
        finalizerErrors(name, `spec.finalizers[${i}]`, vocabulary),
      ),
  };
}

function finalizerErrors(name: string, field: string, vocabulary: Vocabulary): readonly FieldError[] {
  const qualified = validateQualifiedFinalizers([name], vocabulary, field);
  return [...validateFinalizers([name], field), ...qualified.map((error) => ({ ...error, field }))];
}
