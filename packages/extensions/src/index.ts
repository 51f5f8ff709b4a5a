export type { ServiceReference, WebhookClientConfig } from '@ashlar/admission';
export { ConversionMetrics } from './conversion/conversion-metrics.ts';
export { type ConverterOptions, type ConvertObjects, createConverter } from './conversion/converter.ts';
export type {
  CustomResourceDefinition,
  DefinitionCondition,
  DefinitionConversion,
  DefinitionNames,
  DefinitionSchema,
  DefinitionSpec,
  DefinitionStatus,
  DefinitionSubresources,
  DefinitionVersion,
  PrinterColumn,
  ScaleSubresource,
  SelectableField,
  WebhookConversion,
} from './definitions/custom-resource-definition.ts';
export {
  createDefinitionController,
  type DefinitionController,
  type DefinitionControllerOptions,
} from './definitions/definition-controller.ts';
export {
  createDefinitionInstaller,
  type DefinitionInstaller,
  type DefinitionInstallerOptions,
  type InstalledDefinition,
} from './definitions/definition-installer.ts';
export {
  customResourceDefinitions,
  extensionsGroup,
} from './definitions/definition-resource.ts';
export { fromCustomResourceDefinition } from './definitions/from-custom-resource-definition.ts';
export {
  customResourceDefinitionsFromOpenApi,
  definitionsFromOpenApi,
  type FromOpenApiDocumentsOptions,
  type LeftOut,
} from './openapi/definitions-from-openapi.ts';
export { withdrawnDefinitions } from './withdrawn/withdrawn-definitions.ts';
