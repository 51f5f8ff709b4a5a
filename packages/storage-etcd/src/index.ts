export { createEtcdStore, type EtcdStoreOptions } from './lib/create-etcd-store.ts';
export type { EtcdStatistics, EtcdStore } from './lib/etcd-store.ts';
export { EtcdStoreError, type EtcdStoreFault } from './lib/etcd-store-error.ts';
