import { customStatus, customStrategy } from '@ashlar/apis';
import {
  type ApiObject,
  compareApiVersions,
  isJsonObject,
  runAtOnce,
  type Schema,
  SharedSteps,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import { definitionWarning } from '@ashlar/lifecycle';
import type {
  ColumnDefinition,
  ResourceDefinition,
  ResourceVersion,
  SelectableFields,
  Strategy,
  SubresourceDefinition,
  ViewSubresource,
} from '@ashlar/registry';
import { compileStructural, fromOpenApiSteps, type StructuralSchema } from '@ashlar/schema';
import { compileValidator, type ObjectValidator } from '@ashlar/validation';
import { isTrue } from './conditions.ts';
import {
  type CustomResourceDefinition,
  type DefinitionVersion,
  versionsOf,
} from './custom-resource-definition.ts';
import { printerColumns } from './printer-columns.ts';
import { scaleErrors, scaleSubresource } from './scale.ts';
import { selectableFields } from './selectable-fields.ts';

/**
 * Returns the resource type of a definition, with its accepted names. Expensive parts (schemas, rules,
 * columns) are created on first use, so that a server with many definitions starts quickly.
 *
 * @example
 * const definition = fromCustomResourceDefinition(stored, vocabulary);
 * server.serve(definition);
 */
export function fromCustomResourceDefinition(
  definition: CustomResourceDefinition,
  vocabulary: Vocabulary,
): ResourceDefinition {
  const { spec, status } = definition;
  const { plural, singular, kind, listKind, shortNames, categories } = status.acceptedNames;
  const versions = versionsOf(definition).map(
    (version) => new DefinedVersion(definition, version, vocabulary),
  );
  const preferred = [...versions].sort((a, b) => compareApiVersions(b.name, a.name));
  return {
    group: spec.group,
    names: {
      plural,
      singular: singular ?? kind.toLowerCase(),
      kind,
      listKind: listKind ?? `${kind}List`,
      ...(shortNames && { shortNames }),
      ...(categories && { categories }),
    },
    scope: spec.scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    dialect: 'custom',
    versions: preferred,
    strategy: strategyOf(versions),
    terminating: isTrue(definition, 'Terminating'),
  };
}

const NO_RULES = {
  validate: () => [],
  validateUpdate: () => [],
};

/** One version of the type: all parts but its name are computed on first use. */
class DefinedVersion implements ResourceVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  /** The version in the definition. */
  readonly declared: DefinitionVersion;
  readonly #definition: CustomResourceDefinition;
  readonly #vocabulary: Vocabulary;
  #schema: Schema | undefined;
  readonly #reading: SharedSteps<Schema> = new SharedSteps(() => this.#schemaSteps());
  #structure: StructuralSchema | undefined;
  #validator: ObjectValidator | undefined;
  #columns: readonly ColumnDefinition[] | undefined;
  #selectableFields: SelectableFields | undefined;
  #subresources: readonly SubresourceDefinition[] | undefined;
  #views: readonly ViewSubresource[] | undefined;

  constructor(definition: CustomResourceDefinition, declared: DefinitionVersion, vocabulary: Vocabulary) {
    this.name = declared.name;
    this.served = declared.served;
    this.storage = declared.storage;
    this.declared = declared;
    this.#definition = definition;
    this.#vocabulary = vocabulary;
  }

  get schema(): Schema {
    this.#schema ??= runAtOnce(this.#reading.steps());
    return this.#schema;
  }

  *readSchemaSteps(): Steps<void> {
    this.#schema ??= yield* this.#reading.steps();
  }

  get structure(): StructuralSchema {
    this.#structure ??= compileStructural(this.schema, { compilesPatternsLater: true });
    return this.#structure;
  }

  get validator(): ObjectValidator {
    this.#validator ??= compileValidator(this.schema, {
      vocabulary: this.#vocabulary,
      structure: this.structure,
    });
    return this.#validator;
  }

  get columns(): readonly ColumnDefinition[] {
    this.#columns ??= printerColumns(this.declared.additionalPrinterColumns ?? []);
    return this.#columns;
  }

  get selectableFields(): SelectableFields {
    this.#selectableFields ??= selectableFields(this.declared.selectableFields ?? []);
    return this.#selectableFields;
  }

  get subresources(): readonly SubresourceDefinition[] {
    this.#subresources ??= this.hasStatus ? [this.#status()] : [];
    return this.#subresources;
  }

  get views(): readonly ViewSubresource[] {
    const { scale } = this.declared.subresources ?? {};
    this.#views ??= scale ? [scaleSubresource(scale)] : [];
    return this.#views;
  }

  /** Whether the status is a subresource. */
  get hasStatus(): boolean {
    return this.declared.subresources?.status !== undefined;
  }

  get warning(): string {
    if (!this.declared.deprecated) return '';
    return this.declared.deprecationWarning ?? this.#deprecationText();
  }

  #deprecationText(): string {
    const { group, names } = this.#definition.spec;
    const versions = versionsOf(this.#definition);
    return definitionWarning({ group, kind: names.kind, versions }, this.name);
  }

  #status(): SubresourceDefinition {
    const { scale } = this.declared.subresources ?? {};
    const validateUpdate = (object: ApiObject) => (scale ? scaleErrors(object, scale, true) : []);
    return customStatus({ ...NO_RULES, hasStatus: true, validateUpdate });
  }

  *#schemaSteps(): Steps<Schema> {
    const document = this.declared.schema?.openAPIV3Schema;
    if (document === undefined || !isJsonObject(document))
      return { type: 'object', preserveUnknownFields: true };
    const schema = yield* fromOpenApiSteps(document, { vocabulary: this.#vocabulary, report: () => {} });
    return this.#definition.spec.preserveUnknownFields ? { ...schema, preserveUnknownFields: true } : schema;
  }
}

/** Versions differ in whether the status is a subresource. */
function strategyOf(versions: readonly DefinedVersion[]): Strategy {
  const byName = new Map(versions.map((version) => [version.name, version]));
  const versionOf = ({ apiVersion }: ApiObject): DefinedVersion | undefined =>
    byName.get(apiVersion.slice(apiVersion.lastIndexOf('/') + 1));
  const errors = (object: ApiObject) => {
    const { scale } = versionOf(object)?.declared.subresources ?? {};
    return scale ? scaleErrors(object, scale, false) : [];
  };
  const rules = { validate: errors, validateUpdate: errors };
  const withStatus = customStrategy({ ...rules, hasStatus: true });
  const without = customStrategy({ ...rules, hasStatus: false });
  const strategy = (object: ApiObject): Strategy => (versionOf(object)?.hasStatus ? withStatus : without);
  return {
    ...without,
    prepareForCreate: (object) => strategy(object).prepareForCreate?.(object) ?? object,
    prepareForUpdate: (object, stored) => strategy(object).prepareForUpdate?.(object, stored) ?? object,
  };
}
