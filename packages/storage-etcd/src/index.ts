export { grpcStatusOf, SocketCalls, type SocketCallsOptions } from './client/socket-calls.ts';
export { createEtcdStore, type EtcdStoreOptions } from './store/create-etcd-store.ts';
export type { EtcdStatistics, EtcdStore } from './store/etcd-store.ts';
export { EtcdStoreError, type EtcdStoreFault } from './store/etcd-store-error.ts';
