import { describe, expect, it } from 'vitest';
import { userOfServer } from './user-of-server.ts';

const userOf = (server: string, ...names: readonly string[]) =>
  userOfServer(new Map(names.map((name) => [name, undefined])), server);

describe('the user for a server', () => {
  it('has its name, or a star for the first parts of it', () => {
    expect(userOf('a.n.svc:8443', '*', '*.svc:8443', '*.n.svc:8443', 'a.n.svc:8443')).toBe('a.n.svc:8443');
    expect(userOf('a.n.svc:8443', '*', '*.svc:8443', '*.n.svc:8443')).toBe('*.n.svc:8443');
    expect(userOf('a.n.svc:8443', '*', '*.svc:8443')).toBe('*.svc:8443');
    expect(userOf('a.n.svc:8443', '*', '*.svc')).toBe('*');
    expect(userOf('a.n.svc:8443', 'a.n.svc')).toBeUndefined();
  });

  it('may leave out the usual port', () => {
    expect(userOf('a.n.svc:443', '*', 'a.n.svc')).toBe('a.n.svc');
    expect(userOf('a.n.svc:443', 'a.n.svc', '*.svc:443')).toBe('*.svc:443');
    expect(userOf('a.n.svc:443', '*.svc')).toBe('*.svc');
  });
});
