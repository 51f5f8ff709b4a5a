export { type Aggregation, type AggregationOptions, createAggregation } from './aggregation.ts';
export type {
  ApiService,
  ApiServiceCondition,
  ApiServiceSpec,
  ApiServiceStatus,
} from './api-services/api-service.ts';
export { apiServices } from './api-services/api-services.ts';
export { withdrawnApiServices } from './api-services/withdrawn-api-services.ts';
export type { BackendServices, ClientCertificate, ServiceFault, ServicePort } from './backends/backend.ts';
