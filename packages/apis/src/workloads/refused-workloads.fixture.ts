import type { JsonObject } from '@ashlar/core';

/**
 * What kube-apiserver says of objects that are not valid, as recorded: their fields besides the metadata, and the
 * causes in their order; `…` stands for values in the notation of Go.
 */
export const refusedWorkloads: readonly (readonly [
  kind: string,
  object: JsonObject,
  causes: readonly string[],
])[] = [
  [
    'PersistentVolumeClaim',
    { spec: {} },
    [
      'spec.accessModes: Required value: at least 1 access mode is required',
      'spec.resources[storage]: Required value',
    ],
  ],
  [
    'PersistentVolumeClaim',
    { spec: { accessModes: ['Odd'], resources: { requests: { storage: '-1' } } } },
    [
      'spec.accessModes: Unsupported value: "Odd": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      'spec.resources[storage]: Invalid value: "-1": must be greater than zero',
    ],
  ],
  [
    'PersistentVolumeClaim',
    {
      spec: { accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'], resources: { requests: { storage: '0' } } },
    },
    [
      'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
      'spec.resources[storage]: Invalid value: "0": must be greater than zero',
    ],
  ],
  [
    'PersistentVolumeClaim',
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: 'A_',
        volumeMode: 'Odd',
        selector: { matchExpressions: [{ key: 'a b', operator: 'In' }] },
      },
    },
    [
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "spec.selector.matchExpressions[0].key: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "spec.storageClassName: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.volumeMode: Unsupported value: "Odd": supported values: "Block", "Filesystem"',
    ],
  ],
  [
    'PersistentVolumeClaim',
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        dataSource: { kind: 'PersistentVolumeClaim', name: '' },
      },
    },
    ['spec.dataSource.name: Required value', 'spec.dataSourceRef.name: Required value'],
  ],
  [
    'PersistentVolumeClaim',
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        dataSourceRef: { kind: 'Other', name: '' },
      },
    },
    [
      'spec.dataSource.name: Required value',
      'spec.dataSource: Invalid value: "Other": must be \'PersistentVolumeClaim\' when referencing the default apiGroup',
      'spec.dataSourceRef.name: Required value',
      'spec.dataSourceRef: Invalid value: "Other": must be \'PersistentVolumeClaim\' when referencing the default apiGroup',
    ],
  ],
  [
    'PersistentVolumeClaim',
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        dataSourceRef: { kind: '', name: 'n', apiGroup: 'A_' },
      },
    },
    [
      'spec.dataSource.kind: Required value',
      "spec.dataSource.apiGroup: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.dataSourceRef.kind: Required value',
      "spec.dataSourceRef.apiGroup: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'PersistentVolumeClaim',
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
        dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
      },
    },
    ['spec: Invalid value: …: must match dataSourceRef'],
  ],
  [
    'PersistentVolume',
    { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] } },
    ['spec: Required value: must specify a volume type'],
  ],
  [
    'PersistentVolume',
    { spec: { capacity: {}, accessModes: [] } },
    [
      'spec.accessModes: Required value',
      'spec.capacity: Required value',
      'spec.capacity: Unsupported value: …: supported values: "storage"',
      'spec: Required value: must specify a volume type',
    ],
  ],
  [
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '-1', cpu: '1' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/..' },
        nfs: { server: '', path: '' },
      },
    },
    [
      'spec.capacity: Unsupported value: …: supported values: "storage"',
      'spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity',
      'spec.capacity[storage]: Invalid value: "-1": must be greater than zero',
      'spec.hostPath.path: Invalid value: "/..": must not contain \'..\'',
      'spec.nfs: Forbidden: may not specify more than 1 volume type',
    ],
  ],
  [
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Recycle',
        hostPath: { path: '/' },
        volumeMode: 'Odd',
      },
    },
    [
      "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
      'spec.volumeMode: Unsupported value: "Odd": supported values: "Block", "Filesystem"',
    ],
  ],
  [
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Odd',
        local: { path: 'a/../b' },
      },
    },
    [
      'spec.persistentVolumeReclaimPolicy: Unsupported value: "Odd": supported values: "Delete", "Recycle", "Retain"',
      'spec.local.path: Invalid value: "a/../b": must not contain \'..\'',
      'spec.nodeAffinity: Required value: Local volume requires node affinity',
    ],
  ],
  [
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: '', volumeHandle: '', nodePublishSecretRef: { name: 'A' } },
        nodeAffinity: {},
      },
    },
    [
      'spec.nodeAffinity.required: Required value: must specify required node constraints',
      'spec.csi.driver: Required value',
      "spec.csi.driver: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.csi.volumeHandle: Required value',
      "spec.csi.nodePublishSecretRef.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.csi.nodePublishSecretRef.namespace: Required value',
    ],
  ],
  [
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        iscsi: { targetPortal: '', iqn: 'x', lun: 300, secretRef: {} },
      },
    },
    [
      'spec.iscsi.targetPortal: Required value',
      'spec.iscsi.iqn: Invalid value: "x": must be valid format',
      'spec.iscsi.lun: Invalid value: 300: must be between 0 and 255, inclusive',
      'spec.iscsi.secretRef.name: Required value',
    ],
  ],
  [
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        glusterfs: { endpoints: '', path: '', endpointsNamespace: '' },
        storageClassName: 'A_',
      },
    },
    [
      'spec.glusterfs.endpoints: Required value',
      'spec.glusterfs.path: Required value',
      'spec.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
      "spec.storageClassName: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        cephfs: { monitors: [] },
        gcePersistentDisk: { pdName: '' },
      },
    },
    [
      'spec.persistentDisk.pdName: Required value',
      'spec.cephFS: Forbidden: may not specify more than 1 volume type',
    ],
  ],
  [
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        gcePersistentDisk: { pdName: '', partition: 300 },
      },
    },
    [
      'spec.persistentDisk.pdName: Required value',
      'spec.persistentDisk.partition: Invalid value: 300: must be between 1 and 255, inclusive',
    ],
  ],
  [
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        azureFile: { secretName: '', shareName: '', secretNamespace: '' },
      },
    },
    [
      'spec.azureFile.secretName: Required value',
      'spec.azureFile.shareName: Required value',
      'spec.azureFile.secretNamespace: Required value',
    ],
  ],
  [
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        cinder: { volumeID: '', secretRef: {} },
      },
    },
    [
      'spec.cinder.volumeID: Required value',
      'spec.cinder.secretRef.name: Required value',
      'spec.cinder.secretRef.namespace: Required value',
    ],
  ],
  [
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        nodeAffinity: { required: { nodeSelectorTerms: [] } },
        storageos: { volumeName: 'A_', secretRef: {} },
      },
    },
    [
      'spec.nodeAffinity.required.nodeSelectorTerms: Required value: must have at least one node selector term',
      "spec.storageos.volumeName: Invalid value: \"A_\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'spec.storageos.secretRef.name: Required value',
      'spec.storageos.secretRef.namespace: Required value',
    ],
  ],
  [
    'Endpoints',
    { subsets: [{}] },
    ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],
  ],
  [
    'Endpoints',
    {
      subsets: [
        {
          addresses: [{ ip: 'x', nodeName: 'A_' }],
          ports: [
            { port: 0, protocol: 'X', appProtocol: 'a b' },
            { port: 1, name: '' },
          ],
        },
      ],
    },
    [
      'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      "subsets[0].addresses[0].nodeName: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address',
      'subsets[0].ports[0].name: Required value',
      'subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'subsets[0].ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
      "subsets[0].ports[0].appProtocol: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'subsets[0].ports[1].name: Required value',
    ],
  ],
  [
    'Endpoints',
    { subsets: [{ addresses: [{ ip: '127.0.0.1', hostname: 'A_' }] }] },
    [
      "subsets[0].addresses[0].hostname: Invalid value: \"A_\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
  ],
  ['EndpointSlice', { addressType: '', endpoints: [] }, ['addressType: Required value']],
  [
    'EndpointSlice',
    { addressType: 'Odd', endpoints: [] },
    ['addressType: Unsupported value: "Odd": supported values: "FQDN", "IPv4", "IPv6"'],
  ],
  [
    'EndpointSlice',
    {
      addressType: 'IPv4',
      endpoints: [
        { addresses: [] },
        {
          addresses: ['x'],
          hostname: 'A_',
          nodeName: 'A_',
          hints: { forZones: [{ name: 'z' }, { name: 'z' }, { name: 'a b' }] },
        },
      ],
      ports: [{ name: 'A', protocol: 'X', appProtocol: 'a b' }, { name: 'A' }],
    },
    [
      'endpoints[0].addresses: Required value: must contain at least 1 address',
      'endpoints[1].addresses[0]: Invalid value: "x": must be a valid IPv4 address',
      'endpoints[1].addresses[0]: Invalid value: "x": must be a valid IP address',
      "endpoints[1].nodeName: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "endpoints[1].hostname: Invalid value: \"A_\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'endpoints[1].hints.forZones[1].name: Duplicate value: "z"',
      "endpoints[1].hints.forZones[2].name: Invalid value: \"a b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      "ports[0].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
      "ports[0].appProtocol: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "ports[1].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'ports[1].name: Duplicate value: "A"',
    ],
  ],
  [
    'EndpointSlice',
    { addressType: 'FQDN', endpoints: [{ addresses: ['A_'] }] },
    [
      "endpoints[0].addresses[0]: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'EndpointSlice',
    {
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['1.2.3.4'],
          hints: {
            forZones: [
              { name: 'z0' },
              { name: 'z1' },
              { name: 'z2' },
              { name: 'z3' },
              { name: 'z4' },
              { name: 'z5' },
              { name: 'z6' },
              { name: 'z7' },
              { name: 'z8' },
            ],
          },
        },
      ],
    },
    ['endpoints[0].hints.forZones: Too many: 9: must have at most 8 items'],
  ],
  [
    'CSINode',
    {
      spec: {
        drivers: [
          { name: '', nodeID: '' },
          {
            name: 'a',
            nodeID:
              'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
            topologyKeys: ['', 'k', 'k', 'a b'],
            allocatable: { count: -1 },
          },
          { name: 'a', nodeID: 'n' },
        ],
      },
    },
    [
      'spec.drivers[0].name: Required value',
      "spec.drivers[0].name: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.drivers[0].nodeID: Required value',
      'spec.drivers[1].allocatable.count: Invalid value: -1: must be greater than or equal to 0',
      'spec.drivers[1]: Required value',
      'spec.drivers[1]: Invalid value: "": name part must be non-empty',
      "spec.drivers[1]: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.drivers[1]: Duplicate value: "k"',
      "spec.drivers[1]: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.drivers[2].name: Duplicate value: "a"',
    ],
  ],
  [
    'CSIDriver',
    {
      spec: {
        fsGroupPolicy: 'Odd',
        volumeLifecycleModes: ['Odd'],
        tokenRequests: [
          { audience: 'a', expirationSeconds: 1 },
          { audience: 'a', expirationSeconds: 4294967297 },
        ],
      },
    },
    [
      'spec.fsGroupPolicy: Unsupported value: "Odd": supported values: "File", "None", "ReadWriteOnceWithFSType"',
      'spec.tokenRequests[0].expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes',
      'spec.tokenRequests[1].audience: Duplicate value: "a"',
      'spec.volumeLifecycleModes: Unsupported value: "Odd": supported values: "Persistent", "Ephemeral"',
    ],
  ],
  [
    'StorageClass',
    { provisioner: '', volumeBindingMode: 'Odd', reclaimPolicy: 'Recycle', parameters: { '': 'a' } },
    [
      'provisioner: Required value',
      'parameters: Invalid value: "": field can not be empty.',
      'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
      'volumeBindingMode: Unsupported value: "Odd": supported values: "Immediate", "WaitForFirstConsumer"',
    ],
  ],
  [
    'StorageClass',
    {
      provisioner: 'a b',
      allowedTopologies: [
        {
          matchLabelExpressions: [
            { key: 'a b', values: [] },
            { key: 'k', values: ['a', 'a'] },
            { key: 'k', values: ['b'] },
          ],
        },
        { matchLabelExpressions: [{ key: 'k', values: ['b'] }] },
      ],
    },
    [
      "provisioner: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'allowedTopologies[0].matchLabelExpressions[0].values: Required value',
      "allowedTopologies[0].matchLabelExpressions[0].key: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'allowedTopologies[0].matchLabelExpressions[1].values[1]: Duplicate value: "a"',
      'allowedTopologies[0].matchLabelExpressions[2].key: Duplicate value: "k"',
    ],
  ],
  [
    'RuntimeClass',
    { handler: '' },
    [
      "handler: Invalid value: \"\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
  ],
  [
    'RuntimeClass',
    {
      handler: 'A_',
      overhead: { podFixed: { cpu: '-1', odd: '1' } },
      scheduling: {
        nodeSelector: { 'a b': 'c d' },
        tolerations: [
          { key: 'a b', operator: 'Odd' },
          { key: 'k', operator: 'Exists', value: 'v' },
          { key: 'k', operator: 'Exists', value: 'v' },
        ],
      },
    },
    [
      "handler: Invalid value: \"A_\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
      'overhead.limits[odd]: Invalid value: odd: must be a standard resource type or fully qualified',
      'overhead.limits[odd]: Invalid value: odd: must be a standard resource for containers',
      "scheduling.nodeSelector: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "scheduling.nodeSelector: Invalid value: \"c d\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      "scheduling.tolerations.tolerations[0].key: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'scheduling.tolerations.tolerations[0].operator: Unsupported value: "Odd": supported values: "Equal", "Exists"',
      'scheduling.tolerations.tolerations[1].operator: Invalid value: "v": value must be empty when `operator` is \'Exists\'',
      'scheduling.tolerations.tolerations[2].operator: Invalid value: "v": value must be empty when `operator` is \'Exists\'',
      'scheduling.tolerations[2]: Duplicate value: …',
    ],
  ],
  [
    'HorizontalPodAutoscaler',
    {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { kind: 'D', name: 'd' },
        metrics: [
          { type: 'External', external: { metric: { name: 'a/b' }, target: { type: 'Value', value: '1' } } },
        ],
      },
    },
    ['spec.metrics[0].external.metric.name: Invalid value: "a/b": may not contain \'/\''],
  ],
  [
    'HorizontalPodAutoscaler',
    {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { kind: 'D', name: 'd' },
        metrics: [{ type: 'Pods', pods: { metric: { name: '' }, target: { type: '' } } }],
      },
    },
    [
      'spec.metrics[0].pods.metric.name: Required value: must specify a metric name',
      'spec.metrics[0].pods.target.type: Required value: must specify a metric target type',
      'spec.metrics[0].pods.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue',
      'spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue',
    ],
  ],
  [
    'LimitRange',
    {
      spec: {
        limits: [
          {
            type: 'Container',
            max: { cpu: '1' },
            min: { cpu: '2' },
            default: { cpu: '3' },
            maxLimitRequestRatio: { cpu: '500m' },
          },
          { type: 'Container', defaultRequest: { odd: '1' } },
          { type: 'Pod', default: { cpu: '1' } },
          { type: '', max: { 'a b': '1' } },
        ],
      },
    },
    [
      'spec.limits[0].min[cpu]: Invalid value: …: min value 2 is greater than max value 1',
      'spec.limits[0].defaultRequest[cpu]: Invalid value: …: default request value 3 is greater than max value 1',
      'spec.limits[0].default[cpu]: Invalid value: …: default value 3 is greater than max value 1',
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: …: ratio 500m is less than 1',
      'spec.limits[1].type: Duplicate value: "Container"',
      'spec.limits[1].defaultRequest[odd]: Invalid value: odd: must be a standard resource type or fully qualified',
      'spec.limits[1].defaultRequest[odd]: Invalid value: odd: must be a standard resource for containers',
      "spec.limits[2].default: Forbidden: may not be specified when `type` is 'Pod'",
      'spec.limits[3].type: Invalid value: "": name part must be non-empty',
      "spec.limits[3].type: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "spec.limits[3].max[a b]: Invalid value: a b: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ],
  [
    'ResourceQuota',
    {
      spec: {
        hard: { cpu: '-1' },
        scopes: ['Odd', 'BestEffort', 'NotBestEffort'],
        scopeSelector: {
          matchExpressions: [
            { scopeName: 'Terminating', operator: 'In' },
            { scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] },
          ],
        },
      },
    },
    [
      'spec.hard[cpu]: Invalid value: "-1": must be greater than or equal to 0',
      'spec.scopes: Invalid value: …: unsupported scope',
      'spec.scopes: Invalid value: …: unsupported scope applied to resource',
      'spec.scopes: Invalid value: …: conflicting scopes',
      'spec.scopeSelector.matchExpressions.operator: Invalid value: "In": must be \'Exists\' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity',
      "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
      "spec.scopeSelector.matchExpressions.values: Invalid value: …: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
    ],
  ],
  [
    'Job',
    {
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
        parallelism: -1,
        completions: -1,
        activeDeadlineSeconds: -1,
        backoffLimit: -1,
        ttlSecondsAfterFinished: -1,
      },
    },
    [
      'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
      'spec.completions: Invalid value: -1: must be greater than or equal to 0',
      'spec.activeDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
      'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0',
      'spec.ttlSecondsAfterFinished: Invalid value: -1: must be greater than or equal to 0',
    ],
  ],
  [
    'Job',
    {
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
        completionMode: 'Odd',
        podReplacementPolicy: 'Odd',
      },
    },
    [
      'spec.completionMode: Unsupported value: "Odd": supported values: "NonIndexed", "Indexed"',
      'spec.podReplacementPolicy: Unsupported value: "Odd": supported values: "Failed", "TerminatingOrFailed"',
    ],
  ],
  [
    'Job',
    {
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
        manualSelector: true,
      },
    },
    [
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: …: `selector` does not match template `labels`',
    ],
  ],
  [
    'Job',
    {
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
        podFailurePolicy: {
          rules: [
            { action: 'Odd' },
            {
              action: 'FailJob',
              onExitCodes: { operator: 'In', values: [0, 1, 1] },
              onPodConditions: [{ type: '', status: '' }],
            },
            { action: 'FailIndex', onExitCodes: { containerName: 'z', operator: 'Odd', values: [] } },
          ],
        },
      },
    },
    [
      'spec.podFailurePolicy.rules[0].action: Unsupported value: "Odd": supported values: "Count", "FailIndex", "FailJob", "Ignore"',
      'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
      'spec.podFailurePolicy.rules[1].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator',
      'spec.podFailurePolicy.rules[1].onExitCodes.values[2]: Duplicate value: 1',
      'spec.podFailurePolicy.rules[1].onPodConditions[0].type: Invalid value: "": name part must be non-empty',
      "spec.podFailurePolicy.rules[1].onPodConditions[0].type: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.podFailurePolicy.rules[1]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported',
      'spec.podFailurePolicy.rules[2].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
      'spec.podFailurePolicy.rules[2].onExitCodes.operator: Unsupported value: "Odd": supported values: "In", "NotIn"',
      'spec.podFailurePolicy.rules[2].onExitCodes.containerName: Invalid value: "z": must be one of the container or initContainer names in the pod template',
      'spec.podFailurePolicy.rules[2].onExitCodes.values: Invalid value: …: at least one value is required',
    ],
  ],
  [
    'Job',
    {
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
        completionMode: 'Indexed',
        completions: 3,
        successPolicy: {
          rules: [{}, { succeededIndexes: '0-5', succeededCount: 9 }, { succeededIndexes: 'a' }],
        },
      },
    },
    [
      'spec.successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified',
      'spec.successPolicy.rules[1].succeededIndexes: Invalid value: "0-5": error parsing succeededIndexes: too large index: "5"',
      'spec.successPolicy.rules[1].succeededCount: Invalid value: 9: must be less than or equal to 3 (the number of specified completions)',
      'spec.successPolicy.rules[1].succeededCount: Invalid value: 9: must be less than or equal to 0 (the number of indexes in the specified succeededIndexes field)',
      'spec.successPolicy.rules[2].succeededIndexes: Invalid value: "a": error parsing succeededIndexes: cannot convert string to integer for index: "a"',
    ],
  ],
  [
    'Job',
    {
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
        backoffLimitPerIndex: 1,
        managedBy: 'A_ b',
      },
    },
    [
      'spec.managedBy: Invalid value: "A_ b": must be a domain-prefixed path (such as "acme.io/foo")',
      'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
    ],
  ],
];
