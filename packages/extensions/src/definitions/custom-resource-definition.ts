import type { WebhookClientConfig } from '@ashlar/admission';
import type { ApiObject, JsonValue } from '@ashlar/core';

/** A custom resource definition: the server serves the type that it describes (semantics/lifecycle#definitions, #definition-conditions). */
export interface CustomResourceDefinition extends ApiObject {
  readonly spec: DefinitionSpec;
  readonly status: DefinitionStatus;
}

/** The desired type. */
export interface DefinitionSpec {
  readonly group: string;
  readonly names: DefinitionNames;
  readonly scope: string;
  readonly versions: readonly DefinitionVersion[] | null;
  readonly conversion?: DefinitionConversion;
  readonly preserveUnknownFields?: boolean;
}

/** The names of the type. */
export interface DefinitionNames {
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
}

/** One version of the type. */
export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: DefinitionSchema;
  readonly subresources?: DefinitionSubresources;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly SelectableField[];
}

/** A schema in the form of OpenAPI v3. */
export interface DefinitionSchema {
  readonly openAPIV3Schema?: JsonValue;
}

export interface DefinitionSubresources {
  readonly status?: object;
  readonly scale?: ScaleSubresource;
}

/** Simple JSON paths of the desired and actual number of replicas in an object. */
export interface ScaleSubresource {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** A column of tables. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

/** A selectable field. */
export interface SelectableField {
  readonly jsonPath: string;
}

/** The conversion between versions. */
export interface DefinitionConversion {
  readonly strategy: string;
  readonly webhook?: WebhookConversion;
}

export interface WebhookConversion {
  readonly clientConfig?: WebhookClientConfig;
  readonly conversionReviewVersions: readonly string[] | null;
}

/** The observed state of a definition. */
export interface DefinitionStatus {
  readonly conditions: readonly DefinitionCondition[] | null;
  readonly acceptedNames: DefinitionNames;
  readonly storedVersions: readonly string[] | null;
}

export interface DefinitionCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

/** Versions of a definition; empty if it has none. */
export const versionsOf = ({ spec }: CustomResourceDefinition): readonly DefinitionVersion[] =>
  spec.versions ?? [];

/** The name of the storage version. */
export const storageVersionOf = (definition: CustomResourceDefinition): string | undefined =>
  versionsOf(definition).find(({ storage }) => storage)?.name;
