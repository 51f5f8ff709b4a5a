export { grpcStatusOf, SocketCalls, type SocketCallsOptions } from './client/socket-calls.ts';
export { readSnapshot, type Snapshot, type SnapshotEntry } from './snapshot/read-snapshot.ts';
export { SnapshotError } from './snapshot/snapshot-error.ts';
export { createEtcdStore, type EtcdStoreOptions } from './store/create-etcd-store.ts';
export type { EtcdStatistics, EtcdStore } from './store/etcd-store.ts';
export { EtcdStoreError, type EtcdStoreFault } from './store/etcd-store-error.ts';
