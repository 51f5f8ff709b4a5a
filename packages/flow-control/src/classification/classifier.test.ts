import type { UserInfo } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { requestOf, schemaOf, userOf } from '../flow-control.fixture.ts';
import type { ConfiguredSchema, FlowRule } from '../flow-objects.ts';
import { Classifier } from './classifier.ts';
import type { FlowRequest } from './flow-request.ts';

const anybody = [{ kind: 'Group', group: { name: '*' } }];

function classOf(schemas: readonly ConfiguredSchema[], user: UserInfo, request: FlowRequest): string {
  const classifier = new Classifier(
    schemas,
    ({ metadata, spec }) =>
      spec?.priorityLevelConfiguration?.name === 'missing' ? undefined : (metadata.name ?? ''),
    'otherwise',
  );
  return classifier.classify(user, request);
}

const ruled = (rule: FlowRule): ConfiguredSchema => schemaOf('ruled', 'level', { rules: [rule] });
const isRuled = (rule: FlowRule, request: Partial<FlowRequest>): boolean =>
  classOf([ruled({ subjects: anybody, ...rule })], userOf('anna'), requestOf(request)) === 'ruled';

describe('order', () => {
  it('is that of precedence, and then of names', () => {
    const schemas = [
      schemaOf('c', 'level', { matchingPrecedence: 5 }),
      schemaOf('b', 'level', { matchingPrecedence: 5 }),
      schemaOf('a', 'level'),
    ];
    expect(classOf(schemas, userOf('anna'), requestOf())).toBe('b');
  });

  it('leaves out schemas without their level', () => {
    const schemas = [
      schemaOf('dangling', 'missing', { matchingPrecedence: 1 }),
      schemaOf('next', 'level', { matchingPrecedence: 2 }),
    ];
    expect(classOf(schemas, userOf('anna'), requestOf())).toBe('next');
  });

  it('ends with a class for everything', () => {
    expect(classOf([], userOf('anna'), requestOf())).toBe('otherwise');
  });
});

describe('subjects', () => {
  const isSubject = (subject: NonNullable<FlowRule['subjects']>[number], user: UserInfo): boolean => {
    const rules = [{ ...schemaOf('', '').spec?.rules?.[0], subjects: [subject] }];
    return classOf([schemaOf('ruled', 'level', { rules })], user, requestOf()) === 'ruled';
  };

  it.each([
    [{ kind: 'User', user: { name: 'anna' } }, userOf('anna'), true],
    [{ kind: 'User', user: { name: '*' } }, userOf('anna'), true],
    [{ kind: 'User', user: { name: 'bert' } }, userOf('anna'), false],
    [{ kind: 'User' }, userOf(''), false],
    [{ kind: 'Group', group: { name: 'dev' } }, userOf('anna', 'qa', 'dev'), true],
    [{ kind: 'Group', group: { name: '*' } }, userOf('anna'), true],
    [{ kind: 'Group', group: { name: 'dev' } }, userOf('dev'), false],
    [{ kind: 'Group' }, userOf('anna'), false],
    [
      { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: 'b' } },
      userOf('system:serviceaccount:a:b'),
      true,
    ],
    [
      { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: '*' } },
      userOf('system:serviceaccount:a:c'),
      true,
    ],
    [
      { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: '*' } },
      userOf('system:serviceaccount:ab:c'),
      false,
    ],
    [{ kind: 'ServiceAccount' }, userOf('system:serviceaccount:a:b'), false],
    [{ kind: 'Robot' }, userOf('anna'), false],
  ])('%j of %j: %s', (subject, user, expected) => {
    expect(isSubject(subject, user)).toBe(expected);
  });
});

describe('rules of resources', () => {
  const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] };

  it.each([
    [{ verbs: ['list', 'get'] }, {}, true],
    [{ verbs: ['get'] }, {}, false],
    // a star among others is a name like them
    [{ verbs: ['get', '*'] }, {}, false],
    [{ apiGroups: ['apps'] }, {}, false],
    [{ apiGroups: [''] }, {}, true],
    [{ resources: ['configmaps'] }, { subresource: 'status' }, false],
    [{ resources: ['configmaps/status'] }, { subresource: 'status' }, true],
    [{ resources: ['configmaps/*'] }, { subresource: 'status' }, false],
    [{ namespaces: ['other'] }, {}, false],
    [{ namespaces: ['default'] }, {}, true],
    [{}, { namespace: '' }, false],
    [{ clusterScope: true }, { namespace: '' }, true],
    [{ clusterScope: true, namespaces: [] }, {}, false],
    [{}, { isResourceRequest: false }, false],
  ])('%j of %j: %s', (rule, request, expected) => {
    expect(isRuled({ resourceRules: [{ ...all, ...rule }] }, request)).toBe(expected);
  });
});

describe('rules of paths', () => {
  it.each([
    ['/readyz', '/readyz', true],
    ['/readyz', '/readyz/ping', true],
    ['/readyz', '/readyzz', false],
    ['/apis/*', '/apis/', true],
    ['/apis/*', '/apis/apps', true],
    ['/apis/*', '/apis', false],
    ['*', '/anything', true],
  ])('%s of %s: %s', (url, path, expected) => {
    const nonResourceRules = [{ verbs: ['get'], nonResourceURLs: [url] }];
    expect(isRuled({ nonResourceRules }, { isResourceRequest: false, verb: 'get', path })).toBe(expected);
    expect(isRuled({ nonResourceRules }, { isResourceRequest: false, verb: 'post', path })).toBe(false);
  });
});
