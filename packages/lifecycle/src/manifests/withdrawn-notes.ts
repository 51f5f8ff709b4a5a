/**
 * What changes in meaning for manifests of withdrawn versions, by version and kind; groups of the vendor end with a dot. `*` stands for
 * every kind of a version.
 */
export const WITHDRAWN_NOTES: Readonly<Record<string, readonly string[]>> = {
  'flowcontrol.apiserver./v1beta3 PriorityLevelConfiguration': [
    'spec.limited.nominalConcurrencyShares is 30 only where it is not given; 0 stays 0',
  ],
  'flowcontrol.apiserver./v1beta2 PriorityLevelConfiguration': [
    'spec.limited.assuredConcurrencyShares is named nominalConcurrencyShares, which is 30 only where it is not given; 0 stays 0',
  ],
  'flowcontrol.apiserver./v1beta1 PriorityLevelConfiguration': [
    'spec.limited.assuredConcurrencyShares is named nominalConcurrencyShares, which is 30 only where it is not given; 0 stays 0',
  ],
  'autoscaling/v2beta2 HorizontalPodAutoscaler': [
    'targetAverageUtilization is target.averageUtilization with target.type Utilization',
  ],
  'autoscaling/v2beta1 HorizontalPodAutoscaler': [
    'targetAverageUtilization is target.averageUtilization with target.type Utilization',
  ],
  'discovery./v1beta1 EndpointSlice': [
    'topology is deprecatedTopology, which cannot be written; endpoints have nodeName and zone',
  ],
  'events./v1beta1 Event': [
    'type is Normal or Warning',
    'action, reason, reportingController and reportingInstance are required',
    'eventTime, series and the reporter take the place of firstTimestamp, lastTimestamp, count and source, which new objects must not have',
  ],
  'policy/v1beta1 PodDisruptionBudget': [
    'an empty spec.selector selects all pods of the namespace, and selected none',
  ],
  'policy/v1beta1 PodSecurityPolicy': ['use the built-in pod security admission or an admission webhook'],
  'extensions/v1beta1 PodSecurityPolicy': ['use the built-in pod security admission or an admission webhook'],
  'admissionregistration./v1beta1 *': [
    'failurePolicy is Fail by default, and was Ignore',
    'matchPolicy is Equivalent by default, and was Exact',
    'timeoutSeconds is 10 by default, and was 30',
    'sideEffects is required, and only None and NoneOnDryRun are allowed',
    'admissionReviewVersions is required',
    'names of webhooks are unique within their configuration',
  ],
  'apiextensions./v1beta1 CustomResourceDefinition': [
    'spec.scope is required',
    'spec.version is gone: use spec.versions',
    'spec.validation, spec.subresources and spec.additionalPrinterColumns stand in each of spec.versions',
    'spec.conversion.webhookClientConfig and conversionReviewVersions stand in spec.conversion.webhook',
    'schemas are required and structural, and preserveUnknownFields must not be true',
    'JSONPath of columns is spelled jsonPath',
  ],
  'authorization./v1beta1 *': ['spec.group is named spec.groups'],
  'certificates./v1beta1 CertificateSigningRequest': [
    'spec.signerName is required and must not be the legacy one',
    'spec.usages is required, with known values that are not repeated',
    'conditions have a status and types that are not repeated; status.certificate has only blocks CERTIFICATE',
  ],
  'extensions/v1beta1 Ingress': ['*ingress'],
  'networking./v1beta1 Ingress': ['*ingress'],
  '*ingress': [
    'spec.backend is named spec.defaultBackend',
    'serviceName and servicePort of backends are service.name and service.port.number or service.port.name',
    'pathType is required; ImplementationSpecific is what paths were without it',
  ],
  'extensions/v1beta1 DaemonSet': [
    'spec.templateGeneration is gone',
    'spec.selector is required and cannot be changed',
    'spec.updateStrategy.type is RollingUpdate by default, and was OnDelete',
  ],
  'apps/v1beta2 *': ['spec.selector is required and cannot be changed'],
  'extensions/v1beta1 Deployment': [
    'spec.rollbackTo is gone',
    'spec.selector is required and cannot be changed',
    'progressDeadlineSeconds is 600 by default, and there was no deadline',
    'revisionHistoryLimit is 10 by default, and all were kept',
    'maxSurge and maxUnavailable are 25% by default, and were 1',
  ],
  'apps/v1beta1 Deployment': [
    'spec.rollbackTo is gone',
    'spec.selector is required and cannot be changed',
    'revisionHistoryLimit is 10 by default, and was 2',
  ],
  'apps/v1beta1 StatefulSet': [
    'spec.selector is required and cannot be changed',
    'spec.updateStrategy.type is RollingUpdate by default, and was OnDelete',
  ],
  'extensions/v1beta1 ReplicaSet': ['spec.selector is required and cannot be changed'],
};
