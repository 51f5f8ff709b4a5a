import type { ServerVersion } from '@ashlar/http';

/** The release whose behaviour is served: clients choose what they send by it (semantics/discovery#version). */
export const serverVersion: ServerVersion = {
  major: '1',
  minor: '32',
  gitVersion: 'v1.32.0+ashlar',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: 'javascript/any',
};
