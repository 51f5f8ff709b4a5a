export { type ConfigurationSource, loadConfiguration } from './load-configuration.ts';
export { type LoadConnectionOptions, type LoadedConnection, loadConnection } from './load-connection.ts';
export { type LoadedUsers, loadUsers } from './load-users.ts';
