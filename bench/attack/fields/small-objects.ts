const template = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'a', image: 'a' }], restartPolicy: 'Always' },
};
const jobTemplate = { spec: { ...template.spec, restartPolicy: 'Never' } };
const selector = { matchLabels: { a: 'b' } };
const resourceRules = [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['pods'], operations: ['CREATE'] }];
const resourceAttributes = { verb: 'get', resource: 'pods', namespace: 'tenant' };
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' };
const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object' } } };
const variables = [{ name: 'a', expression: 'true' }];

/** What is in small valid objects besides metadata, by kind: of those of which none was recorded that is accepted. */
export const SMALL_OBJECTS: Readonly<Record<string, object>> = {
  APIService: {
    spec: {
      group: 'a.io',
      version: 'v1',
      groupPriorityMinimum: 1,
      versionPriority: 1,
      insecureSkipTLSVerify: true,
      service: { name: 'a', namespace: 'tenant' },
    },
  },
  Binding: { target: { kind: 'Node', name: 'a' } },
  CertificateSigningRequest: { spec: { request: 'YWFh', signerName: 'a.io/b', usages: ['client auth'] } },
  ControllerRevision: { revision: 1, data: {} },
  CronJob: { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: jobTemplate } } } },
  CustomResourceDefinition: {
    spec: {
      group: 'attack.example.com',
      scope: 'Namespaced',
      names: { plural: 'as', singular: 'a', kind: 'A', listKind: 'AList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  },
  DaemonSet: { spec: { selector, template } },
  EndpointSlice: { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.1.1'] }] },
  Event: {
    involvedObject: { namespace: 'tenant' },
    regarding: { namespace: 'tenant' },
    eventTime: '2024-01-01T00:00:00.000000Z',
    action: 'a',
    reason: 'a',
    type: 'Normal',
    reportingController: 'a.io/b',
    reportingInstance: 'a',
  },
  FlowSchema: {
    spec: {
      priorityLevelConfiguration: { name: 'a' },
      matchingPrecedence: 10,
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: 'a' } }],
          nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/a'] }],
        },
      ],
    },
  },
  HorizontalPodAutoscaler: { spec: { scaleTargetRef, maxReplicas: 3 } },
  Ingress: { spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } } },
  IngressClass: { spec: { controller: 'a.io/b' } },
  Job: { spec: { template: jobTemplate } },
  LocalSubjectAccessReview: { spec: { user: 'a', resourceAttributes } },
  MutatingAdmissionPolicy: {
    spec: {
      matchConstraints: { resourceRules },
      variables,
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
    },
  },
  MutatingAdmissionPolicyBinding: { spec: { policyName: 'a' } },
  PersistentVolume: {
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } },
  },
  PodTemplate: { template },
  PriorityLevelConfiguration: { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
  ReplicaSet: { spec: { selector, template } },
  ReplicationController: { spec: { selector: { a: 'b' }, template } },
  SelfSubjectAccessReview: { spec: { resourceAttributes } },
  StatefulSet: { spec: { serviceName: 'a', selector, template } },
  SubjectAccessReview: { spec: { user: 'a', resourceAttributes } },
  ValidatingAdmissionPolicy: {
    spec: { matchConstraints: { resourceRules }, variables, validations: [{ expression: 'true' }] },
  },
  ValidatingAdmissionPolicyBinding: { spec: { policyName: 'a', validationActions: ['Deny'] } },
  VolumeAttachment: { spec: { attacher: 'a.io', nodeName: 'a', source: { persistentVolumeName: 'a' } } },
};
