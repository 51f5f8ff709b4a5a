export { type ConfigurationSource, loadConfiguration } from './lib/load-configuration.ts';
export { type LoadConnectionOptions, type LoadedConnection, loadConnection } from './lib/load-connection.ts';
