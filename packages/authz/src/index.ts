export { alwaysAllow, alwaysDeny } from './lib/always.ts';
export { forbiddenError, forbiddenMessage, toHtmlEntities } from './lib/forbidden.ts';
export { PRIVILEGED_GROUP, withPrivilegedGroup } from './lib/privileged-group.ts';
export { createUnionAuthorizer } from './lib/union.ts';
