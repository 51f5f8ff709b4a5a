export type {
  ApiService,
  ApiServiceCondition,
  ApiServiceSpec,
  ApiServiceStatus,
} from './lib/api-service.ts';
export { apiServices } from './lib/api-services.ts';
export { type ConverterOptions, type ConvertObjects, createConverter } from './lib/converter.ts';
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
  ServiceReference,
  WebhookClientConfig,
  WebhookConversion,
} from './lib/custom-resource-definition.ts';
export {
  createDefinitionController,
  type DefinitionController,
  type DefinitionControllerOptions,
} from './lib/definition-controller.ts';
export {
  createDefinitionInstaller,
  type DefinitionInstaller,
  type DefinitionInstallerOptions,
  type InstalledDefinition,
} from './lib/definition-installer.ts';
export { cleanupFinalizer, customResourceDefinitions, extensionsGroup } from './lib/definitions.ts';
export {
  customResourceDefinitionsFromOpenApi,
  definitionsFromOpenApi,
  type FromOpenApiDocumentsOptions,
  type LeftOut,
} from './lib/definitions-from-openapi.ts';
export { fromCustomResourceDefinition } from './lib/from-custom-resource-definition.ts';
export { validateDefinition, validateDefinitionUpdate } from './lib/validate-definition.ts';
