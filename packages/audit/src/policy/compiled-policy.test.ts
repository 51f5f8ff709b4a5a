import { describe, expect, it } from 'vitest';
import type { AuditAttributes } from './audit-decision.ts';
import type { AuditRule } from './audit-policy.ts';
import { CompiledPolicy } from './compiled-policy.ts';

const POD: AuditAttributes = {
  user: { name: 'alice', groups: ['dev', 'qa'] },
  ...{ verb: 'get', isResourceRequest: true, apiGroup: '', resource: 'pods', subresource: '' },
  ...{ namespace: 'default', name: 'a', path: '/api/v1/namespaces/default/pods/a' },
};
const LOG = { ...POD, subresource: 'log' };
const PATH: AuditAttributes = {
  ...POD,
  ...{ isResourceRequest: false, resource: '', namespace: '', name: '', path: '/healthz/ping' },
};

const fits = (rule: Omit<AuditRule, 'level'>, attributes: AuditAttributes): boolean =>
  new CompiledPolicy({ rules: [{ level: 'Metadata', ...rule }] }).decide(attributes).level === 'Metadata';
const resources = (...names: readonly string[]) => ({ resources: [{ resources: names }] });

describe('a rule of an audit policy', () => {
  it('with users fits nobody whose name is not known yet, also if it names the empty user', () => {
    const nobody = { ...POD, user: { name: '', groups: [] } };
    expect([fits({ users: [''] }, nobody), fits({}, nobody)]).toEqual([false, true]);
  });

  it.each([
    [{}, true],
    [{ users: ['alice'] }, true],
    [{ users: ['bob'] }, false],
    [{ userGroups: ['ops', 'qa'] }, true],
    [{ users: ['alice'], userGroups: ['ops'] }, false],
    [{ verbs: ['list', 'get'] }, true],
    [{ verbs: ['*'] }, false],
    [{ namespaces: ['default'] }, true],
    [{ namespaces: [''] }, false],
    [{ nonResourceURLs: ['*'] }, false],
    [{ resources: [{ group: '' }] }, true],
    [{ resources: [{ group: 'apps' }] }, false],
    [{ resources: [{ resources: ['pods'], resourceNames: ['a'] }] }, true],
    [{ resources: [{ resources: ['pods'], resourceNames: [''] }] }, false],
    [resources('pods'), true],
    [resources('pods/*'), true],
    [resources('*'), true],
    [resources('pods/log'), false],
    [resources('*/log'), false],
  ])('%j fits a pod: %s', (rule, expected) => {
    expect(fits(rule, POD)).toBe(expected);
  });

  it.each([
    [resources('pods'), false],
    [resources('pods/log'), true],
    [resources('pods/*'), true],
    [resources('*/log'), true],
    [resources('*'), true],
    [{ resources: [{ group: '' }] }, true],
  ])('%j fits a log: %s', (rule, expected) => {
    expect(fits(rule, LOG)).toBe(expected);
  });

  it.each([
    [{ nonResourceURLs: ['/healthz'] }, false],
    [{ nonResourceURLs: ['/healthz*'] }, true],
    [{ nonResourceURLs: ['/healthz/ping'] }, true],
    [{ nonResourceURLs: ['*'] }, true],
    [{ namespaces: [''] }, false],
    [resources('*'), false],
  ])('%j fits a path: %s', (rule, expected) => {
    expect(fits(rule, PATH)).toBe(expected);
  });
});

describe('an audit policy', () => {
  it('takes the first rule that fits', () => {
    const policy = new CompiledPolicy({
      rules: [{ level: 'None', users: ['bob'] }, { level: 'Request', verbs: ['get'] }, { level: 'Metadata' }],
    });
    expect(policy.decide(POD).level).toBe('Request');
    expect(policy.decide({ ...POD, verb: 'list' }).level).toBe('Metadata');
  });

  it('records nothing if none fits', () => {
    expect(new CompiledPolicy({ rules: [{ level: 'Request', users: ['bob'] }] }).decide(POD).level).toBe(
      'None',
    );
  });

  it('says what its rules leave out', () => {
    const policy = new CompiledPolicy({
      ...{ omitStages: ['RequestReceived'], omitManagedFields: true },
      rules: [
        { level: 'Request', verbs: ['get'], omitStages: ['Panic'], omitManagedFields: false },
        { level: 'Request' },
      ],
    });
    expect(policy.decide(POD)).toEqual({
      ...{ level: 'Request', omitManagedFields: false },
      omitStages: new Set(['RequestReceived', 'Panic']),
    });
    expect(policy.decide({ ...POD, verb: 'list' }).omitManagedFields).toBe(true);
  });
});
