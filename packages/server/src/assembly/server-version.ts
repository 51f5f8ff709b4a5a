import type { ServerVersion } from '@ashlar/http';

/** The version that the server reports, by which clients choose what they send: that of release 1.32 (semantics/discovery#version). */
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
