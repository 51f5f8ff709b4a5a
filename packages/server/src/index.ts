export { type ApiServer, type ApiServerOptions, createApiServer } from './lib/create-api-server.ts';
export { serverVersion } from './lib/server-version.ts';
