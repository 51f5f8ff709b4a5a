import { describe, expect, it } from 'vitest';
import { authority, client } from '../listener/certificates.fixture.ts';
import { secureContextOf } from './secure-contexts.ts';

describe('secureContextOf', () => {
  it('makes one for equal settings', () => {
    const first = secureContextOf({ ca: authority });
    expect(secureContextOf({ ca: authority })).toBe(first);
    expect(secureContextOf({ ca: authority, cert: client.certificate, key: client.key })).not.toBe(first);
    expect(secureContextOf({})).not.toBe(first);
  });

  it('forgets those that have not been used for long', () => {
    const first = secureContextOf({ ca: authority });
    for (let i = 0; i < 64; i++) secureContextOf({ ca: `${authority}${'\n'.repeat(i + 1)}` });
    expect(secureContextOf({ ca: authority })).not.toBe(first);
  });

  it('refuses what cannot be read', () => {
    expect(() => secureContextOf({ cert: 'a', key: 'b' })).toThrow();
  });
});
