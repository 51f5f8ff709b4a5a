import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyRuntimeConfig,
  type ConfiguredApis,
  RuntimeConfigSyntaxError,
  readRuntimeConfig,
  runtimeConfigErrors,
} from './runtime-config.ts';

const apis: ConfiguredApis = {
  defaults: new Map([
    ['v1', true],
    ['apps/v1', true],
    ['apps/v1beta1', false],
    ['apps/v2alpha1', false],
  ]),
  known: ['old/v1'],
  otherGroups: ['elsewhere'],
};
const apply = (text: string) => applyRuntimeConfig(readRuntimeConfig(text), apis);
const on = (text: string) => [...apply(text).versions].filter(([, enabled]) => enabled).map(([name]) => name);

describe('a runtime configuration', () => {
  it('applies all, then stages, then versions', () => {
    expect(on('')).toEqual(['v1', 'apps/v1']);
    expect(on('api/all=false,api/beta=true')).toEqual(['apps/v1beta1']);
    expect(on('api/alpha=true,apps/v2alpha1=false,api/ga=false,/v1')).toEqual(['v1']);
    expect(on('old/v1=1')).toEqual(['v1', 'apps/v1', 'old/v1']);
  });

  it('applies resources last', () => {
    const configured = apply('apps/v1beta1/deployments,apps/v1/daemonsets=false');
    expect(configured.isEnabled('apps/v1beta1', 'deployments')).toBe(true);
    expect(configured.isEnabled('apps/v1beta1', 'daemonsets')).toBe(false);
    expect(configured.isEnabled('apps/v1', 'daemonsets')).toBe(false);
    expect(configured.isEnabled('apps/v1', 'deployments')).toBe(true);
    expect(configured.isEnabled('none/v1', 'things')).toBe(false);
  });

  it.each([
    ['api/all=1', 'invalid value api/all=1'],
    ['apps/v9', 'group version apps/v9 that has not been registered'],
    ['apps/v1=yes', 'invalid value of apps/v1: yes, err: strconv.ParseBool: parsing "yes": invalid syntax'],
    [
      'apps/v1/Deployments',
      'invalid key apps/v1/Deployments: group/version/resource and resource is always lowercase plural, not "Deployments"',
    ],
  ])('rejects %s', (text, message) => {
    expect(() => apply(text)).toThrow(new RuntimeConfigSyntaxError(message));
  });

  it('reports keys that are none', () => {
    const errors = (text: string) => runtimeConfigErrors(readRuntimeConfig(text), apis);
    expect(errors('api/all=false')).toEqual(['invalid key with only api/all=false']);
    expect(errors('apps')).toEqual(['runtime-config invalid key apps']);
    expect(errors('b/v1,a/v1,elsewhere/v1,old/v1,/v1,api/ga=true')).toEqual(['unknown api groups a,b']);
    expect(errors('apps/v1=maybe')).toEqual([]);
  });

  it('is applied or rejected, whatever it is', () => {
    const text = fc.string({
      unit: fc.constantFrom('api/', 'all', 'apps', '/', 'v1', '=', ',', 'true', 'T', ' '),
    });
    fc.assert(
      fc.property(text, (given) => {
        try {
          expect(apply(given).versions.size).toBeGreaterThanOrEqual(apis.defaults.size);
        } catch (error) {
          expect(error).toBeInstanceOf(RuntimeConfigSyntaxError);
        }
      }),
    );
  });
});
