import type { JsonObject } from '@ashlar/core';

/**
 * What kube-apiserver says of pods that are not valid, as recorded: what is different from a valid pod (as a
 * merge patch), and the causes in their order; `…` stands for values in the notation of Go.
 */
export const refusedPods: readonly (readonly [change: JsonObject, causes: readonly string[]])[] = [
  [
    { spec: { volumes: [{ name: 'v', hostPath: { path: '' } }] } },
    ['spec.volumes[0].hostPath.path: Required value'],
  ],
  [
    { spec: { volumes: [{ name: 'v', hostPath: { path: '/a/../b', type: 'Odd' } }] } },
    [
      'spec.volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain \'..\'',
      'spec.volumes[0].hostPath.type: Unsupported value: "Odd": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
    ],
  ],
  [
    { spec: { volumes: [{ name: 'v', gitRepo: { repository: '', directory: '/abs/..' } }] } },
    [
      'spec.volumes[0].gitRepo.repository: Required value',
      'spec.volumes[0].gitRepo.directory: Invalid value: "/abs/..": must be a relative path',
      'spec.volumes[0].gitRepo.directory: Invalid value: "/abs/..": must not contain \'..\'',
    ],
  ],
  [
    { spec: { volumes: [{ name: 'v', gcePersistentDisk: { pdName: '', partition: 300 } }] } },
    [
      'spec.volumes[0].persistentDisk.pdName: Required value',
      'spec.volumes[0].persistentDisk.partition: Invalid value: 300: must be between 1 and 255, inclusive',
    ],
  ],
  [
    { spec: { volumes: [{ name: 'v', awsElasticBlockStore: { volumeID: '', partition: -1 } }] } },
    [
      'spec.volumes[0].awsElasticBlockStore.volumeID: Required value',
      'spec.volumes[0].awsElasticBlockStore.partition: Invalid value: -1: must be between 1 and 255, inclusive',
    ],
  ],
  [
    {
      spec: {
        volumes: [
          {
            name: 'v',
            secret: {
              secretName: '',
              defaultMode: 512,
              items: [
                { key: '', path: '' },
                { key: 'a', path: '..b', mode: -1 },
                { key: 'a', path: '/c' },
              ],
            },
          },
        ],
      },
    },
    [
      'spec.volumes[0].secret.secretName: Required value',
      'spec.volumes[0].secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
      'spec.volumes[0].secret.items[0].key: Required value',
      'spec.volumes[0].secret.items[0].path: Required value',
      'spec.volumes[0].secret.items[1].path: Invalid value: "..b": must not start with \'..\'',
      'spec.volumes[0].secret.items[1].mode: Invalid value: -1: must be a number between 0 and 0777 (octal), both inclusive',
      'spec.volumes[0].secret.items[2].path: Invalid value: "/c": must be a relative path',
    ],
  ],
  [
    { spec: { volumes: [{ name: 'v', nfs: { server: '', path: 'rel' } }] } },
    [
      'spec.volumes[0].nfs.server: Required value',
      'spec.volumes[0].nfs.path: Invalid value: "rel": must be an absolute path',
    ],
  ],
  [
    {
      spec: {
        volumes: [
          {
            name: 'v',
            iscsi: {
              targetPortal: '',
              iqn: 'bad',
              lun: 256,
              chapAuthDiscovery: true,
              initiatorName: 'iqn.x',
            },
          },
        ],
      },
    },
    [
      'spec.volumes[0].iscsi.targetPortal: Required value',
      'spec.volumes[0].iscsi.iqn: Invalid value: "bad": must be valid format starting with iqn, eui, or naa',
      'spec.volumes[0].iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
      'spec.volumes[0].iscsi.secretRef: Required value',
      'spec.volumes[0].iscsi.initiatorname: Invalid value: "iqn.x": must be valid format',
    ],
  ],
  [
    {
      spec: {
        volumes: [
          {
            name: 'v',
            iscsi: {
              targetPortal: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
              iqn: 'iqn.2001-04.com.example:a',
              lun: 0,
              initiatorName: 'naa.1',
            },
          },
        ],
      },
    },
    [
      'spec.volumes[0].iscsi.initiatorname: Invalid value: "naa.1": must be valid format',
      'spec.volumes[0].name: Invalid value: "v": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
    ],
  ],
  [
    { spec: { volumes: [{ name: 'v', glusterfs: { endpoints: '', path: '' } }] } },
    ['spec.volumes[0].glusterfs.endpoints: Required value', 'spec.volumes[0].glusterfs.path: Required value'],
  ],
  [
    { spec: { volumes: [{ name: 'v', flocker: {} }] } },
    ['spec.volumes[0].flocker: Required value: one of datasetName and datasetUUID is required'],
  ],
  [
    { spec: { volumes: [{ name: 'v', flocker: { datasetName: 'a/b', datasetUUID: 'c' } }] } },
    [
      'spec.volumes[0].flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously',
      'spec.volumes[0].flocker.datasetName: Invalid value: "a/b": must not contain \'/\'',
    ],
  ],
  [
    { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: '' } }] } },
    ['spec.volumes[0].persistentVolumeClaim.claimName: Required value'],
  ],
  [
    { spec: { volumes: [{ name: 'v', rbd: { monitors: [], image: '' } }] } },
    ['spec.volumes[0].rbd.monitors: Required value', 'spec.volumes[0].rbd.image: Required value'],
  ],
  [
    { spec: { volumes: [{ name: 'v', cinder: { volumeID: '', secretRef: { name: '' } } }] } },
    [
      'spec.volumes[0].cinder.volumeID: Required value',
      'spec.volumes[0].cinder.secretRef.name: Required value',
    ],
  ],
  [
    { spec: { volumes: [{ name: 'v', cephfs: { monitors: [] } }] } },
    ['spec.volumes[0].cephfs.monitors: Required value'],
  ],
  [
    { spec: { volumes: [{ name: 'v', quobyte: { registry: '', volume: '' } }] } },
    [
      'spec.volumes[0].quobyte.registry: Required value: must be a host:port pair or multiple pairs separated by commas',
      'spec.volumes[0].quobyte.volume: Required value',
    ],
  ],
  [
    { spec: { volumes: [{ name: 'v', quobyte: { registry: 'a:b:c,d', volume: 'x' } }] } },
    [
      'spec.volumes[0].quobyte.registry: Invalid value: "a:b:c,d": must be a host:port pair or multiple pairs separated by commas',
      'spec.volumes[0].quobyte.registry: Invalid value: "a:b:c,d": must be a host:port pair or multiple pairs separated by commas',
    ],
  ],
  [
    {
      spec: {
        volumes: [
          {
            name: 'v',
            quobyte: {
              registry: 'a:1',
              volume: 'x',
              tenant: 'ttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt',
            },
          },
        ],
      },
    },
    [
      'spec.volumes[0].quobyte.tenant: Required value: must be a UUID and may not exceed a length of 64 characters',
    ],
  ],
  [
    {
      spec: {
        volumes: [
          {
            name: 'v',
            downwardAPI: {
              defaultMode: 999,
              items: [
                { path: '/a' },
                { path: 'b', fieldRef: { fieldPath: 'spec.nodeName' } },
                { path: 'c', resourceFieldRef: { resource: 'limits.cpu' } },
                { path: 'd', fieldRef: { fieldPath: 'metadata.name' }, resourceFieldRef: { resource: 'x' } },
              ],
            },
          },
        ],
      },
    },
    [
      'spec.volumes[0].downwardAPI.defaultMode: Invalid value: 999: must be a number between 0 and 0777 (octal), both inclusive',
      'spec.volumes[0].downwardAPI.path: Invalid value: "/a": must be a relative path',
      'spec.volumes[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
      'spec.volumes[0].downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"',
      'spec.volumes[0].downwardAPI.resourceFieldRef.containerName: Required value',
      'spec.volumes[0].downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously',
    ],
  ],
  [
    { spec: { volumes: [{ name: 'v', fc: {} }] } },
    ['spec.volumes[0].fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both'],
  ],
  [
    { spec: { volumes: [{ name: 'v', fc: { targetWWNs: ['a'], wwids: ['b'] } }] } },
    [
      'spec.volumes[0].fc.targetWWNs: Invalid value: …: targetWWNs and wwids can not be specified simultaneously',
      'spec.volumes[0].fc.lun: Required value: lun is required if targetWWNs is specified',
    ],
  ],
  [
    { spec: { volumes: [{ name: 'v', fc: { targetWWNs: ['a'], lun: 256 } }] } },
    ['spec.volumes[0].fc.lun: Invalid value: 256: must be between 0 and 255, inclusive'],
  ],
  [
    { spec: { volumes: [{ name: 'v', flexVolume: { driver: '', options: { 'kubernetes.io/a': 'b' } } }] } },
    [
      'spec.volumes[0].flexVolume.driver: Required value',
      'spec.volumes[0].flexVolume.options[kubernetes.io/a]: Invalid value: "kubernetes.io/a": kubernetes.io and k8s.io namespaces are reserved',
    ],
  ],
  [
    { spec: { volumes: [{ name: 'v', configMap: { name: '', items: [{ key: 'k', path: 'a/../b' }] } }] } },
    [
      'spec.volumes[0].configMap.name: Required value',
      'spec.volumes[0].configMap.items[0].path: Invalid value: "a/../b": must not contain \'..\'',
    ],
  ],
  [
    { spec: { volumes: [{ name: 'v', azureFile: { secretName: '', shareName: '' } }] } },
    [
      'spec.volumes[0].azureFile.secretName: Required value',
      'spec.volumes[0].azureFile.shareName: Required value',
    ],
  ],
  [
    { spec: { volumes: [{ name: 'v', vsphereVolume: { volumePath: '' } }] } },
    ['spec.volumes[0].vsphereVolume.volumePath: Required value'],
  ],
  [
    { spec: { volumes: [{ name: 'v', photonPersistentDisk: { pdID: '' } }] } },
    ['spec.volumes[0].photonPersistentDisk.pdID: Required value'],
  ],
  [
    { spec: { volumes: [{ name: 'v', portworxVolume: { volumeID: '' } }] } },
    ['spec.volumes[0].portworxVolume.volumeID: Required value'],
  ],
  [
    {
      spec: {
        volumes: [{ name: 'v', azureDisk: { diskName: '', diskURI: 'x', cachingMode: 'Odd', kind: 'Odd' } }],
      },
    },
    [
      'spec.volumes[0].azureDisk.diskName: Required value',
      'spec.volumes[0].azureDisk.cachingMode: Unsupported value: "Odd": supported values: "None", "ReadOnly", "ReadWrite"',
      'spec.volumes[0].azureDisk.kind: Unsupported value: "Odd": supported values: "Dedicated", "Managed", "Shared"',
      'spec.volumes[0].azureDisk.diskURI: Unsupported value: "x": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"',
    ],
  ],
  [
    {
      spec: { volumes: [{ name: 'v', azureDisk: { diskName: 'a', diskURI: 'https://x', kind: 'Managed' } }] },
    },
    [
      'spec.volumes[0].azureDisk.diskURI: Unsupported value: "https://x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
    ],
  ],
  [
    {
      spec: {
        volumes: [
          { name: 'v', storageos: { volumeName: '', volumeNamespace: 'A', secretRef: { name: '' } } },
        ],
      },
    },
    [
      'spec.volumes[0].storageos.volumeName: Required value',
      "spec.volumes[0].storageos.volumeNamespace: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'spec.volumes[0].storageos.secretRef.name: Required value',
    ],
  ],
  [
    {
      spec: {
        volumes: [
          { name: 'v', scaleIO: { gateway: '', system: '', secretRef: { name: 's' }, volumeName: '' } },
        ],
      },
    },
    [
      'spec.volumes[0].scaleIO.gateway: Required value',
      'spec.volumes[0].scaleIO.system: Required value',
      'spec.volumes[0].scaleIO.volumeName: Required value',
    ],
  ],
  [
    { spec: { volumes: [{ name: 'v', csi: { driver: '', nodePublishSecretRef: { name: 'A' } } }] } },
    [
      'spec.volumes[0].csi.driver: Required value',
      "spec.volumes[0].csi.driver: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.volumes[0].csi.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    {
      spec: {
        volumes: [
          { name: 'v', csi: { driver: 'DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD' } },
        ],
      },
    },
    ['spec.volumes[0].csi.driver: Too long: may not be more than 63 bytes'],
  ],
  [
    { spec: { volumes: [{ name: 'v', ephemeral: {} }] } },
    ['spec.volumes[0].ephemeral.volumeClaimTemplate: Required value'],
  ],
  [
    {
      spec: {
        volumes: [
          {
            name: 'v',
            ephemeral: {
              volumeClaimTemplate: {
                metadata: { name: 'x', labels: { 'a b': 'c' } },
                spec: { accessModes: [], resources: { requests: { storage: '-1' } } },
              },
            },
          },
        ],
      },
    },
    [
      "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.labels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set',
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required',
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]: Invalid value: "-1": must be greater than zero',
    ],
  ],
  [
    { spec: { volumes: [{ name: 'v', emptyDir: { sizeLimit: '-1' } }] } },
    ['spec.volumes[0].emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity'],
  ],
  [
    {
      spec: {
        volumes: [
          {
            name: 'v',
            emptyDir: {},
            secret: { secretName: 's' },
            cephfs: { monitors: ['a'] },
            gcePersistentDisk: { pdName: 'p' },
            downwardAPI: {},
          },
        ],
      },
    },
    [
      'spec.volumes[0].gcePersistentDisk: Forbidden: may not specify more than 1 volume type',
      'spec.volumes[0].secret: Forbidden: may not specify more than 1 volume type',
      'spec.volumes[0].cephFS: Forbidden: may not specify more than 1 volume type',
      'spec.volumes[0].downwarAPI: Forbidden: may not specify more than 1 volume type',
    ],
  ],
  [
    {
      spec: {
        volumes: [
          {
            name: 'v',
            projected: {
              defaultMode: -1,
              sources: [
                {
                  secret: { name: '', items: [{ key: 'k', path: 'p' }] },
                  configMap: { name: 'm', items: [{ key: 'k', path: 'p' }] },
                },
                { serviceAccountToken: { path: '', expirationSeconds: 5 } },
                { downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.uid' } }] } },
              ],
            },
          },
        ],
      },
    },
    [
      'spec.volumes[0].projected.defaultMode: Invalid value: -1: must be a number between 0 and 0777 (octal), both inclusive',
      'spec.volumes[0].projected.sources[0].secret.name: Required value',
      'spec.volumes[0].projected: Invalid value: "m": conflicting duplicate paths',
      'spec.volumes[0].projected.sources[0]: Forbidden: may not specify more than 1 volume type per source',
      'spec.volumes[0].projected.sources[1].serviceAccountToken.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
      'spec.volumes[0].projected.path: Required value',
      'spec.volumes[0].projected: Invalid value: "p": conflicting duplicate paths',
      'spec.volumes[0].projected.sources[1].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
    ],
  ],
  [
    { spec: { volumes: [{ name: 'Bad_N' }] } },
    [
      "spec.volumes[0].name: Invalid value: \"Bad_N\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
  ],
  [
    { spec: { volumes: [{ name: '' }, { name: 'a' }, { name: 'a' }] } },
    ['spec.volumes[0].name: Required value', 'spec.volumes[2].name: Duplicate value: "a"'],
  ],
  [
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            env: [
              { name: '', valueFrom: {} },
              { name: 'a=b', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
              {
                name: 'c',
                valueFrom: {
                  configMapKeyRef: { name: 'A', key: '' },
                  secretKeyRef: { name: '', key: 'a b' },
                },
              },
            ],
          },
        ],
      },
    },
    [
      'spec.containers[0].env[0].name: Required value',
      'spec.containers[0].env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
      'spec.containers[0].env[1].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than \'=\'',
      'spec.containers[0].env[1].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
      "spec.containers[0].env[2].valueFrom.configMapKeyRef.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.containers[0].env[2].valueFrom.configMapKeyRef.key: Required value',
      "spec.containers[0].env[2].valueFrom.secretKeyRef.name: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.containers[0].env[2].valueFrom.secretKeyRef.key: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      'spec.containers[0].env[2].valueFrom: Invalid value: "": may not have more than one field specified at a time',
    ],
  ],
  [
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            env: [
              { name: 'a', valueFrom: { fieldRef: { fieldPath: '' } } },
              { name: 'b', valueFrom: { fieldRef: { fieldPath: 'nowhere' } } },
              { name: 'c', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } },
              { name: 'd', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a b']" } } },
              { name: 'e', valueFrom: { fieldRef: { fieldPath: "spec.nodeName['a']" } } },
              { name: 'f', valueFrom: { fieldRef: { apiVersion: 'v2', fieldPath: 'metadata.name' } } },
            ],
          },
        ],
      },
    },
    [
      'spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Required value',
      'spec.containers[0].env[1].valueFrom.fieldRef.fieldPath: Invalid value: "nowhere": error converting fieldPath: field label not supported: nowhere',
      'spec.containers[0].env[2].valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"',
      "spec.containers[0].env[3].valueFrom.fieldRef: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "spec.containers[0].env[4].valueFrom.fieldRef.fieldPath: Invalid value: \"spec.nodeName['a']\": error converting fieldPath: field label does not support subscript: spec.nodeName['a']",
      'spec.containers[0].env[5].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2',
    ],
  ],
  [
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            env: [
              { name: 'a', valueFrom: { resourceFieldRef: { resource: '' } } },
              { name: 'b', valueFrom: { resourceFieldRef: { resource: 'pods', divisor: '3' } } },
              { name: 'c', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } } },
              { name: 'd', valueFrom: { resourceFieldRef: { resource: 'requests.memory', divisor: '1m' } } },
              {
                name: 'e',
                valueFrom: { resourceFieldRef: { resource: 'limits.hugepages-2Mi', divisor: '3' } },
              },
              {
                name: 'f',
                valueFrom: { resourceFieldRef: { resource: 'limits.ephemeral-storage', divisor: '3' } },
              },
            ],
          },
        ],
      },
    },
    [
      'spec.containers[0].env[0].valueFrom.resourceFieldRef.resource: Required value',
      'spec.containers[0].env[1].valueFrom.resourceFieldRef.resource: Unsupported value: "pods": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
      'spec.containers[0].env[2].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource',
      'spec.containers[0].env[3].valueFrom.resourceFieldRef.divisor: Invalid value: "requests.memory": only divisor\'s values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the memory resource',
      'spec.containers[0].env[4].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.hugepages-2Mi": only divisor\'s values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the hugepages resource',
      'spec.containers[0].env[5].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.ephemeral-storage": only divisor\'s values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the local ephemeral storage resource',
    ],
  ],
  [
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            envFrom: [
              {},
              { configMapRef: { name: '' }, secretRef: { name: 'A' } },
              { prefix: 'a=b', configMapRef: { name: 'ok-' } },
            ],
          },
        ],
      },
    },
    [
      'spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
      'spec.containers[0].envFrom[1].configMapRef.name: Required value',
      "spec.containers[0].envFrom[1].secretRef.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.containers[0].envFrom: Invalid value: "": may not have more than one field specified at a time',
      'spec.containers[0].envFrom[2].prefix: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than \'=\'',
    ],
  ],
  [
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            volumeMounts: [
              { name: '', mountPath: '' },
              { name: 'w', mountPath: '/a' },
              { name: 'v', mountPath: '/a', subPath: '/s', subPathExpr: '../x' },
              { name: 'v', mountPath: '/b', mountPropagation: 'Odd', recursiveReadOnly: 'Odd' },
              { name: 'v', mountPath: '/c', mountPropagation: 'Bidirectional', recursiveReadOnly: 'Enabled' },
            ],
          },
        ],
      },
    },
    [
      'spec.containers[0].volumeMounts[0].name: Required value',
      'spec.containers[0].volumeMounts[0].name: Not found: ""',
      'spec.containers[0].volumeMounts[0].mountPath: Required value',
      'spec.containers[0].volumeMounts[1].name: Not found: "w"',
      'spec.containers[0].volumeMounts[2].name: Not found: "v"',
      'spec.containers[0].volumeMounts[2].mountPath: Invalid value: "/a": must be unique',
      'spec.containers[0].volumeMounts.subPath: Invalid value: "/s": must be a relative path',
      'spec.containers[0].volumeMounts[2].subPathExpr: Invalid value: "../x": subPathExpr and subPath are mutually exclusive',
      'spec.containers[0].volumeMounts.subPathExpr: Invalid value: "../x": must not contain \'..\'',
      'spec.containers[0].volumeMounts[3].name: Not found: "v"',
      'spec.containers[0].volumeMounts.mountPropagation: Unsupported value: "Odd": supported values: "Bidirectional", "HostToContainer", "None"',
      'spec.containers[0].volumeMounts.recursiveReadOnly: Unsupported value: "Odd": supported values: "Disabled", "Enabled", "IfPossible"',
      'spec.containers[0].volumeMounts[4].name: Not found: "v"',
      'spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
      'spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true',
      'spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified',
    ],
  ],
  [
    {
      spec: {
        volumes: [
          { name: 'v', emptyDir: {} },
          { name: 'p', persistentVolumeClaim: { claimName: 'x' } },
        ],
        containers: [
          {
            name: 'c',
            image: 'i',
            volumeMounts: [
              { name: 'v', mountPath: '/a' },
              { name: 'p', mountPath: '/b' },
            ],
            volumeDevices: [
              { name: '', devicePath: '' },
              { name: 'v', devicePath: '/a' },
              { name: 'p', devicePath: '/d/..' },
              { name: 'p', devicePath: '/e' },
            ],
          },
        ],
      },
    },
    [
      'spec.containers[0].volumeMounts[0].name: Invalid value: "v": must not already exist in volumeDevices',
      'spec.containers[0].volumeMounts[0].mountPath: Invalid value: "/a": must not already exist as a path in volumeDevices',
      'spec.containers[0].volumeMounts[1].name: Invalid value: "p": must not already exist in volumeDevices',
      'spec.containers[0].volumeDevices[0].name: Required value',
      'spec.containers[0].volumeDevices[0].name: Not found: ""',
      'spec.containers[0].volumeDevices[0].devicePath: Required value',
      'spec.containers[0].volumeDevices[1].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
      'spec.containers[0].volumeDevices[1].name: Invalid value: "v": must not already exist in volumeMounts',
      'spec.containers[0].volumeDevices[1].devicePath: Invalid value: "/a": must not already exist as a path in volumeMounts',
      'spec.containers[0].volumeDevices[2].devicePath: Invalid value: "/d/..": can not contain backsteps (\'..\')',
      'spec.containers[0].volumeDevices[2].name: Invalid value: "p": must not already exist in volumeMounts',
      'spec.containers[0].volumeDevices[3].name: Invalid value: "p": must be unique',
      'spec.containers[0].volumeDevices[3].name: Invalid value: "p": must not already exist in volumeMounts',
    ],
  ],
  [
    {
      spec: {
        containers: [{ name: '', image: '', terminationMessagePolicy: 'Odd', imagePullPolicy: 'Odd' }],
      },
    },
    [
      'spec.containers[0].name: Required value',
      'spec.containers[0].image: Required value',
      'spec.containers[0].terminationMessagePolicy: Unsupported value: "Odd": supported values: "File", "FallbackToLogsOnError"',
      'spec.containers[0].imagePullPolicy: Unsupported value: "Odd": supported values: "Always", "IfNotPresent", "Never"',
    ],
  ],
  [
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            ports: [
              { containerPort: 0, name: 'A_' },
              { containerPort: 70000, hostPort: 70000, protocol: 'X' },
              { name: 'a', containerPort: 1, hostPort: 2 },
              { name: 'a', containerPort: 2, hostPort: 2 },
            ],
          },
        ],
      },
    },
    [
      'spec.containers[0].ports[0].name: Invalid value: "A_": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      'spec.containers[0].ports[0].name: Invalid value: "A_": must contain at least one letter (a-z)',
      'spec.containers[0].ports[0].containerPort: Required value',
      'spec.containers[0].ports[1].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
      'spec.containers[0].ports[1].hostPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
      'spec.containers[0].ports[1].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
      'spec.containers[0].ports[3].name: Duplicate value: "a"',
      'spec.containers[0].ports[3].hostPort: Duplicate value: "TCP//2"',
    ],
  ],
  [
    { spec: { containers: [{ name: 'c', image: ' i ', restartPolicy: 'Always' }] } },
    [
      'spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers',
      'spec.containers[0].image: Invalid value: " i ": must not have leading or trailing whitespace',
    ],
  ],
  [
    {
      spec: {
        containers: [
          { name: 'c', image: 'i' },
          { name: 'c', image: 'i' },
        ],
      },
    },
    ['spec.containers[1].name: Duplicate value: "c"'],
  ],
  [{ spec: { containers: [] } }, ['spec.containers: Required value']],
  [
    {
      spec: {
        initContainers: [
          { name: 'c', image: 'i' },
          { name: 'd', image: 'i', restartPolicy: 'Odd' },
          {
            name: 'e',
            image: 'i',
            lifecycle: { preStop: { exec: { command: ['a'] } } },
            livenessProbe: { exec: {} },
          },
          { name: 'f', image: 'i', restartPolicy: 'Always', readinessProbe: {} },
        ],
      },
    },
    [
      'spec.initContainers[0].name: Duplicate value: "c"',
      'spec.initContainers[1].restartPolicy: Unsupported value: "Odd": supported values: "Always"',
      'spec.initContainers[2].lifecycle: Forbidden: may not be set for init containers without restartPolicy=Always',
      'spec.initContainers[2].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
      'spec.initContainers[3].readinessProbe: Required value: must specify a handler type',
    ],
  ],
  [
    { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] } },
    ['spec.ephemeralContainers: Forbidden: cannot be set on create'],
  ],
  [
    { spec: { containers: [{ name: 'c', image: 'i', livenessProbe: {} }] } },
    ['spec.containers[0].livenessProbe: Required value: must specify a handler type'],
  ],
  [
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            livenessProbe: { exec: {}, httpGet: { port: 1 }, successThreshold: 2, initialDelaySeconds: -1 },
          },
        ],
      },
    },
    [
      'spec.containers[0].livenessProbe.exec.command: Required value',
      'spec.containers[0].livenessProbe.httpGet: Forbidden: may not specify more than 1 handler type',
      'spec.containers[0].livenessProbe.initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0',
      'spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1',
    ],
  ],
  [
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            readinessProbe: {
              httpGet: { path: '', port: 0, scheme: 'X', httpHeaders: [{ name: 'a b' }] },
              terminationGracePeriodSeconds: 0,
            },
          },
        ],
      },
    },
    [
      'spec.containers[0].readinessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.containers[0].readinessProbe.httpGet.scheme: Unsupported value: "X": supported values: "HTTP", "HTTPS"',
      "spec.containers[0].readinessProbe.httpGet.httpHeaders: Invalid value: \"a b\": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
      'spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0',
      'spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 0: must not be set for readinessProbes',
    ],
  ],
  [
    {
      spec: {
        containers: [
          { name: 'c', image: 'i', startupProbe: { tcpSocket: { port: 'BAD' }, grpc: { port: 1 } } },
        ],
      },
    },
    [
      'spec.containers[0].startupProbe.tcpSocket.port: Invalid value: "BAD": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      'spec.containers[0].startupProbe.tcpSocket.port: Invalid value: "BAD": must contain at least one letter (a-z)',
      'spec.containers[0].startupProbe.grpc: Forbidden: may not specify more than 1 handler type',
    ],
  ],
  [
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            startupProbe: { grpc: { port: 0 }, periodSeconds: -1, timeoutSeconds: -1, failureThreshold: -1 },
          },
        ],
      },
    },
    [
      'spec.containers[0].startupProbe.grpc.port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.containers[0].startupProbe.timeoutSeconds: Invalid value: -1: must be greater than or equal to 0',
      'spec.containers[0].startupProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
      'spec.containers[0].startupProbe.failureThreshold: Invalid value: -1: must be greater than or equal to 0',
    ],
  ],
  [
    {
      spec: {
        containers: [
          { name: 'c', image: 'i', lifecycle: { postStart: {}, preStop: { sleep: { seconds: 100 } } } },
        ],
      },
    },
    [
      'spec.containers[0].lifecycle.postStart: Required value: must specify a handler type',
      'spec.containers[0].lifecycle.preStop.sleep: Invalid value: 100: must be greater than 0 and less than terminationGracePeriodSeconds (30). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.',
    ],
  ],
  [
    {
      spec: { containers: [{ name: 'c', image: 'i', lifecycle: { postStart: { sleep: { seconds: 0 } } } }] },
    },
    [
      'spec.containers[0].lifecycle.postStart.sleep: Invalid value: 0: must be greater than 0 and less than terminationGracePeriodSeconds (30). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.',
    ],
  ],
  [
    { spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { foo: '1' } } }] } },
    [
      'spec.containers[0].resources.limits[foo]: Invalid value: foo: must be a standard resource type or fully qualified',
      'spec.containers[0].resources.limits[foo]: Invalid value: foo: must be a standard resource for containers',
      'spec.containers[0].resources.requests[foo]: Invalid value: foo: must be a standard resource type or fully qualified',
      'spec.containers[0].resources.requests[foo]: Invalid value: foo: must be a standard resource for containers',
    ],
  ],
  [
    { spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { 'a/b/c': '1' } } }] } },
    [
      "spec.containers[0].resources.limits[a/b/c]: Invalid value: a/b/c: a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
      "spec.containers[0].resources.limits[a/b/c]: Invalid value: a/b/c: doesn't follow extended resource name standard",
      "spec.containers[0].resources.requests[a/b/c]: Invalid value: a/b/c: a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
      "spec.containers[0].resources.requests[a/b/c]: Invalid value: a/b/c: doesn't follow extended resource name standard",
    ],
  ],
  [
    { spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { 'example.com/x': '1.5' } } }] } },
    [
      'spec.containers[0].resources.limits[example.com/x]: Invalid value: …: must be an integer',
      'spec.containers[0].resources.requests[example.com/x]: Invalid value: …: must be an integer',
    ],
  ],
  [
    {
      spec: {
        containers: [{ name: 'c', image: 'i', resources: { limits: { 'requests.example.com/x': '1' } } }],
      },
    },
    [
      "spec.containers[0].resources.limits[requests.example.com/x]: Invalid value: requests.example.com/x: doesn't follow extended resource name standard",
      "spec.containers[0].resources.requests[requests.example.com/x]: Invalid value: requests.example.com/x: doesn't follow extended resource name standard",
    ],
  ],
  [
    { spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { 'hugepages-2Mi': '3Mi' } } }] } },
    [
      'spec.containers[0].resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
      'spec.containers[0].resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
      'spec.containers[0].resources: Forbidden: HugePages require cpu or memory',
    ],
  ],
  [
    { spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { pods: '1.5' } } }] } },
    [
      'spec.containers[0].resources.limits[pods]: Invalid value: pods: must be a standard resource for containers',
      'spec.containers[0].resources.limits[pods]: Invalid value: …: must be an integer',
      'spec.containers[0].resources.requests[pods]: Invalid value: pods: must be a standard resource for containers',
      'spec.containers[0].resources.requests[pods]: Invalid value: …: must be an integer',
    ],
  ],
  [
    { spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { 'example.com/y': '1' } } }] } },
    [
      'spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
    ],
  ],
  [
    { spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '-1' } } }] } },
    ['spec.containers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
  ],
  [
    {
      spec: {
        containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }],
      },
    },
    [
      'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ],
  ],
  [
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            resources: { limits: { 'example.com/x': '2' }, requests: { 'example.com/x': '1' } },
          },
        ],
      },
    },
    ['spec.containers[0].resources.requests: Invalid value: "1": must be equal to example.com/x limit of 2'],
  ],
  [
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            securityContext: {
              runAsUser: -1,
              runAsGroup: 5000000000,
              procMount: 'Odd',
              seccompProfile: { type: 'Odd', localhostProfile: 'a' },
              allowPrivilegeEscalation: false,
              privileged: true,
              capabilities: { add: ['CAP_SYS_ADMIN'] },
              appArmorProfile: { type: 'Odd' },
            },
          },
        ],
      },
    },
    [
      'spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      'spec.containers[0].securityContext.runAsGroup: Invalid value: 5000000000: must be between 0 and 2147483647, inclusive',
      'spec.containers[0].securityContext.seccompProfile.type: Unsupported value: "Odd": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
      'spec.containers[0].securityContext.seccompProfile.localhostProfile: Invalid value: …: can only be set when seccomp type is Localhost',
      'spec.containers[0].securityContext: Invalid value: …: cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
      'spec.containers[0].securityContext: Invalid value: …: cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
      'spec.containers[0].securityContext.appArmorProfile.type: Unsupported value: "Odd": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
    ],
  ],
  [
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            securityContext: {
              seccompProfile: { type: 'Localhost' },
              appArmorProfile: { type: 'Localhost' },
              windowsOptions: { gmsaCredentialSpecName: 'A', gmsaCredentialSpec: '', runAsUserName: '' },
            },
          },
        ],
      },
    },
    [
      'spec.containers[0].securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
      "spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpecName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string',
      'spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "": runAsUserName cannot be an empty string',
      'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost',
    ],
  ],
  [
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            securityContext: {
              seccompProfile: { type: 'Localhost', localhostProfile: '/a/..' },
              appArmorProfile: { type: 'Localhost', localhostProfile: ' a' },
              windowsOptions: { runAsUserName: 'a\\b\\c' },
            },
          },
        ],
      },
    },
    [
      'spec.containers[0].securityContext.seccompProfile.localhostProfile: Invalid value: "/a/..": must be a relative path',
      'spec.containers[0].securityContext.seccompProfile.localhostProfile: Invalid value: "/a/..": must not contain \'..\'',
      'spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
      'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Invalid value: " a": must not be padded with whitespace',
    ],
  ],
  [
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            securityContext: {
              appArmorProfile: { type: 'RuntimeDefault', localhostProfile: 'a' },
              windowsOptions: { runAsUserName: 'bad*domain\\' },
            },
          },
        ],
      },
    },
    [
      'spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "bad*domain\\\\": runAsUserName\'s Domain doesn\'t match the NetBios nor the DNS format',
      'spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "bad*domain\\\\": runAsUserName\'s User cannot be empty',
      'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Invalid value: "a": can only be set when AppArmor type is Localhost',
    ],
  ],
  [
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            securityContext: {
              appArmorProfile: { type: 'Localhost', localhostProfile: '' },
              windowsOptions: { runAsUserName: '. .' },
            },
          },
        ],
      },
    },
    [
      'spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: ". .": runAsUserName\'s User cannot contain only periods or spaces',
      'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost',
    ],
  ],
  [
    {
      spec: {
        securityContext: {
          fsGroup: -1,
          runAsUser: -1,
          runAsGroup: -1,
          supplementalGroups: [-1, 1],
          fsGroupChangePolicy: 'Odd',
          sysctls: [
            { name: '', value: '' },
            { name: 'A', value: '' },
            { name: 'a.b', value: '' },
            { name: 'a.b', value: '' },
          ],
          seccompProfile: { type: '' },
        },
      },
    },
    [
      'spec.securityContext.fsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      'spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      'spec.securityContext.runAsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      'spec.securityContext.supplementalGroups[0]: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      'spec.securityContext.sysctls[0].name: Required value',
      'spec.securityContext.sysctls[1].name: Invalid value: "A": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
      'spec.securityContext.sysctls[3].name: Duplicate value: "a.b"',
      'spec.securityContext.fsGroupChangePolicy: Unsupported value: "Odd": supported values: "Always", "OnRootMismatch"',
      'spec.securityContext.seccompProfile.type: Required value: type is required when seccompProfile is set',
    ],
  ],
  [
    {
      spec: {
        hostNetwork: true,
        hostIPC: true,
        hostPID: true,
        shareProcessNamespace: true,
        securityContext: {
          sysctls: [
            { name: 'net.a', value: '' },
            { name: 'kernel/sem', value: '' },
            { name: 'fs.mqueue.x', value: '' },
          ],
        },
      },
    },
    [
      'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
      'spec.securityContext.sysctls[0].name: Invalid value: "net.a": may not be specified when \'hostNetwork\' is true',
      'spec.securityContext.sysctls[1].name: Invalid value: "kernel/sem": may not be specified when \'hostIPC\' is true',
      'spec.securityContext.sysctls[2].name: Invalid value: "fs.mqueue.x": may not be specified when \'hostIPC\' is true',
    ],
  ],
  [
    {
      spec: {
        hostNetwork: true,
        containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80, hostPort: 81 }] }],
      },
    },
    [
      'spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true',
    ],
  ],
  [{ spec: { os: { name: '' } } }, ['spec.os.name: Required value: cannot be empty']],
  [
    { spec: { os: { name: 'plan9' } } },
    ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"'],
  ],
  [
    {
      spec: {
        os: { name: 'linux' },
        securityContext: { windowsOptions: {} },
        containers: [{ name: 'c', image: 'i', securityContext: { windowsOptions: {} } }],
      },
    },
    [
      'spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
      'spec.containers[0].securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
    ],
  ],
  [
    {
      spec: {
        os: { name: 'windows' },
        hostPID: true,
        shareProcessNamespace: false,
        securityContext: {
          seLinuxOptions: {},
          fsGroup: 1,
          runAsUser: 1,
          sysctls: [{ name: 'a', value: '' }],
          supplementalGroups: [1],
        },
        containers: [
          {
            name: 'c',
            image: 'i',
            securityContext: { privileged: false, capabilities: {}, runAsUser: 1, procMount: 'Default' },
          },
        ],
      },
    },
    [
      'spec.securityContext.seLinuxOptions: Forbidden: cannot be set for a windows pod',
      'spec.hostPID: Forbidden: cannot be set for a windows pod',
      'spec.securityContext.fsGroup: Forbidden: cannot be set for a windows pod',
      'spec.securityContext.sysctls: Forbidden: cannot be set for a windows pod',
      'spec.shareProcessNamespace: Forbidden: cannot be set for a windows pod',
      'spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
      'spec.securityContext.supplementalGroups: Forbidden: cannot be set for a windows pod',
      'spec.containers[0].securityContext.capabilities: Forbidden: cannot be set for a windows pod',
      'spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod',
      'spec.containers[0].securityContext.procMount: Forbidden: cannot be set for a windows pod',
      'spec.containers[0].securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
    ],
  ],
  [
    {
      spec: {
        securityContext: { windowsOptions: { hostProcess: true } },
        containers: [{ name: 'c', image: 'i', securityContext: { windowsOptions: { hostProcess: false } } }],
      },
    },
    [
      'spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true',
    ],
  ],
  [
    { spec: { securityContext: { windowsOptions: { hostProcess: true } } } },
    [
      'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
    ],
  ],
  [
    {
      spec: {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] },
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 0,
                preference: {
                  matchExpressions: [
                    { key: 'a b', operator: 'Odd' },
                    { key: 'a', operator: 'In' },
                    { key: 'a', operator: 'Exists', values: ['x'] },
                    { key: 'a', operator: 'Gt' },
                  ],
                  matchFields: [
                    { key: 'a', operator: 'Exists' },
                    { key: 'metadata.name', operator: 'In', values: ['A', 'B'] },
                  ],
                },
              },
            ],
          },
        },
      },
    },
    [
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
      'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100',
      'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].operator: Invalid value: "Odd": not a valid selector operator',
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].key: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[1].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[2].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[3].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'",
      'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchFields[0].operator: Invalid value: "Exists": not a valid selector operator',
      'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchFields[0].key: Invalid value: "a": not a valid field selector key',
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchFields[1].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchFields[1].values[0]: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchFields[1].values[1]: Invalid value: \"B\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    {
      spec: {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                topologyKey: '',
                namespaces: ['A'],
                labelSelector: { matchExpressions: [{ key: '', operator: 'Odd' }] },
                namespaceSelector: { matchLabels: { 'a b': 'c' } },
              },
            ],
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 101,
                podAffinityTerm: { topologyKey: 'a', matchLabelKeys: ['x'], mismatchLabelKeys: ['y'] },
              },
            ],
          },
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                topologyKey: 'k',
                labelSelector: { matchLabels: { q: 'r' } },
                matchLabelKeys: ['x', 'a b'],
                mismatchLabelKeys: ['x'],
              },
            ],
          },
        },
      },
    },
    [
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchExpressions[0].operator: Invalid value: "Odd": not a valid selector operator',
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchExpressions[0].key: Invalid value: "": name part must be non-empty',
      "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchExpressions[0].key: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespaceSelector.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespace: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Required value: can not be empty',
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "": name part must be non-empty',
      "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100',
      'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
      'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.mismatchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
      "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys[1]: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys[0]: Invalid value: "x": exists in both matchLabelKeys and mismatchLabelKeys',
    ],
  ],
  [
    {
      spec: {
        topologySpreadConstraints: [
          {
            maxSkew: 0,
            topologyKey: '',
            whenUnsatisfiable: 'Odd',
            minDomains: 0,
            nodeAffinityPolicy: 'Odd',
            nodeTaintsPolicy: 'Odd',
            matchLabelKeys: ['a b'],
          },
          {
            maxSkew: 1,
            topologyKey: 'k',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { a: 'b' } },
            matchLabelKeys: ['a'],
          },
          {
            maxSkew: 1,
            topologyKey: 'k',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { a: 'b c' } },
          },
        ],
      },
    },
    [
      'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
      'spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty',
      'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Odd": supported values: "DoNotSchedule", "ScheduleAnyway"',
      'spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: must be greater than zero',
      'spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not Odd',
      'spec.topologySpreadConstraints[0].nodeAffinityPolicy: Unsupported value: "Odd": supported values: "Honor", "Ignore"',
      'spec.topologySpreadConstraints[0].nodeTaintsPolicy: Unsupported value: "Odd": supported values: "Honor", "Ignore"',
      'spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
      "spec.topologySpreadConstraints[0].matchLabelKeys[0]: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.topologySpreadConstraints[1].{topologyKey, whenUnsatisfiable}: Duplicate value: "{k, DoNotSchedule}"',
      'spec.topologySpreadConstraints[1].matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector',
      "spec.topologySpreadConstraints[2].labelSelector.matchLabels: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
  ],
  [
    {
      spec: {
        tolerations: [
          {},
          { key: 'a b', value: 'b c' },
          { key: 'a', operator: 'Exists', value: 'x', effect: 'Odd' },
          { key: 'a', operator: 'Odd' },
          { key: 'a', tolerationSeconds: 1 },
        ],
      },
    },
    [
      'spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      "spec.tolerations[1].key: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "spec.tolerations[1].operator: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      'spec.tolerations[2].operator: Invalid value: "x": value must be empty when `operator` is \'Exists\'',
      'spec.tolerations[2].effect: Unsupported value: "Odd": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      'spec.tolerations[3].operator: Unsupported value: "Odd": supported values: "Equal", "Exists"',
      'spec.tolerations[4].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set',
    ],
  ],
  [
    { spec: { nodeSelector: { 'a b': 'c d' } } },
    [
      "spec.nodeSelector: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "spec.nodeSelector: Invalid value: \"c d\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
  ],
  [
    {
      spec: {
        schedulingGates: [{ name: '' }, { name: 'a' }, { name: 'a' }],
        nodeName: 'N',
        readinessGates: [{ conditionType: 'a b' }],
      },
    },
    [
      "spec.readinessGates[0].conditionType: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.schedulingGates[0]: Invalid value: "": name part must be non-empty',
      "spec.schedulingGates[0]: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.schedulingGates[2]: Duplicate value: "a"',
      "spec.nodeName: Invalid value: \"N\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
    ],
  ],
  [
    { spec: { dnsPolicy: 'None' } },
    ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
  ],
  [
    { spec: { dnsPolicy: 'None', dnsConfig: {} } },
    [
      'spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None',
    ],
  ],
  [
    {
      spec: {
        dnsConfig: {
          nameservers: ['x', '1.1.1.1', '1.1.1.2', '1.1.1.3'],
          searches: ['A_', 'ok.', '.'],
          options: [{}],
        },
      },
    },
    [
      'spec.dnsConfig.nameservers: Invalid value: …: must not have more than 3 nameservers',
      'spec.dnsConfig.nameservers[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      "spec.dnsConfig.searches[0]: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.dnsConfig.searches[2]: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.dnsConfig.options[0]: Required value: must not be empty',
    ],
  ],
  [
    {
      spec: {
        hostAliases: [{ ip: 'x', hostnames: ['A'] }],
        hostname: 'A.b',
        subdomain: 'a.b',
        serviceAccountName: 'A',
        activeDeadlineSeconds: 0,
        restartPolicy: 'Odd',
        dnsPolicy: 'Odd',
      },
    },
    [
      'spec.restartPolicy: Unsupported value: "Odd": supported values: "Always", "OnFailure", "Never"',
      'spec.dnsPolicy: Unsupported value: "Odd": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
      "spec.serviceAccountName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
      "spec.hostname: Invalid value: \"A.b\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'spec.subdomain: Invalid value: "a.b": must not contain dots',
      'spec.hostAliases[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      "spec.hostAliases[0].hostnames[0]: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    { metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '+1' } } },
    [
      'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+1": must be a 32bit integer',
    ],
  ],
];
