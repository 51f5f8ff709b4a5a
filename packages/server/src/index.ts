export { type ApiServer, type ApiServerOptions, createApiServer } from './lib/create-api-server.ts';
export type { AuthorizerOption, StoredAuthorizers } from './lib/server-access.ts';
export { serverVersion } from './lib/server-version.ts';
