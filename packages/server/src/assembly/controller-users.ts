import { serviceAccountUserName, systemNamespace, type UserInfo, type Vocabulary } from '@ashlar/core';
import type { ControllerName } from './controller-selection.ts';

/** The service accounts of controllers, as release 1.32 names them. */
const ACCOUNTS: Readonly<Record<ControllerName, string>> = {
  namespace: 'namespace-controller',
  garbagecollector: 'generic-garbage-collector',
  'clusterrole-aggregation': 'clusterrole-aggregation-controller',
  csrsigning: 'certificate-controller',
  csrcleaner: 'certificate-controller',
  tokencleaner: 'token-cleaner',
  bootstrapsigner: 'bootstrap-signer',
  serviceaccount: 'service-account-controller',
  resourcequota: 'resourcequota-controller',
  'root-ca-cert-publisher': 'root-ca-cert-publisher',
  'validatingadmissionpolicy-status': 'validatingadmissionpolicy-status-controller',
  svm: 'storage-version-migrator-controller',
};

/** The user as whom a controller of the server acts by default: its service account, which need not be stored. */
export function controllerUser(controller: ControllerName, vocabulary: Vocabulary): UserInfo {
  const namespace = systemNamespace(vocabulary, 'system');
  return {
    name: serviceAccountUserName({ namespace, name: ACCOUNTS[controller] }),
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}
