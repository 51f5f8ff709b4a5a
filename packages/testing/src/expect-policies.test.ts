import { type ApiObject, groupName, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { expectPolicies } from './index.ts';

const pod = (image: string): ApiObject =>
  ({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'shop' } },
    spec: { containers: [{ name: 'c', image }] },
  }) as ApiObject;

describe.each([kubernetesVocabulary, orchVocabulary])('policies with the names of $name', (vocabulary) => {
  const tags = (action: string): string => `
apiVersion: ${groupName(vocabulary, 'admissionregistration.')}/v1
kind: ValidatingAdmissionPolicy
metadata: { name: tags }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [pods] }]
  matchConditions: [{ name: remains, expression: "request.operation != 'DELETE'" }]
  variables: [{ name: images, expression: 'object.spec.containers.map(c, c.image)' }]
  validations: [{ expression: "variables.images.all(i, i.contains(':'))", message: images need a tag }]
---
apiVersion: ${groupName(vocabulary, 'admissionregistration.')}/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: everywhere }
spec: { policyName: tags, validationActions: [${action}] }
`;

  it('meets what is expected', async () => {
    const deny = expectPolicies({ policies: tags('Deny') });
    const { denial } = await deny.toDeny(pod('nginx'), 'images need a tag');
    expect(denial?.code).toBe(422);
    await deny.toDeny(pod('nginx'), /^pods "p" is forbidden/);
    await deny.toDeny(pod('nginx'));
    await deny.toAllow(pod('nginx:1'));
    await deny.toIgnore({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
    const warn = expectPolicies({ policies: tags('Warn') });
    await warn.toWarn(pod('nginx'), 'need a tag');
    await warn.toWarn(pod('nginx'));
    await warn.toAllow(pod('nginx:1'));
    await expectPolicies({ policies: tags('Deny'), oldObject: pod('nginx') }).toIgnore(undefined);
  });

  it('shows why an expectation is not met', async () => {
    const deny = expectPolicies({ policies: tags('Deny') });
    await expect(deny.toDeny(pod('nginx:1'), 'tag')).rejects.toThrow(
      [
        'Pod "p" is not denied with "tag": it is allowed',
        '  policy "tags" with binding "everywhere"',
        `    spec.matchConditions[0].expression: request.operation != 'DELETE' => true`,
        '    spec.variables[0].expression (images): object.spec.containers.map(c, c.image) => ["nginx:1"]',
        `    spec.validations[0].expression: variables.images.all(i, i.contains(':')) => true`,
      ].join('\n'),
    );
    await expect(deny.toDeny(pod('nginx'), 'other')).rejects.toThrow(
      'Pod "p" is not denied with "other": pods "p" is forbidden',
    );
    await expect(deny.toAllow(pod('nginx'))).rejects.toThrow('Pod "p" is not allowed: pods "p" is forbidden');
    await expect(deny.toIgnore(pod('nginx:1'))).rejects.toThrow('Pod "p" is not ignored: it is allowed');
    await expect(deny.toWarn(pod('nginx'))).rejects.toThrow(
      'Pod "p" is not warned of: pods "p" is forbidden',
    );
    const warn = expectPolicies({ policies: tags('Warn') });
    await expect(warn.toDeny(pod('nginx'))).rejects.toThrow(
      'Pod "p" is not denied: it is warned of: Validation',
    );
    await expect(warn.toAllow(pod('nginx'))).rejects.toThrow('Pod "p" is not allowed: it is warned of');
    await expect(warn.toWarn(pod('nginx:1'))).rejects.toThrow('Pod "p" is not warned of: it is allowed');
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    await expect(deny.toAllow(map)).rejects.toThrow('ConfigMap "a" is not allowed: no policy is for it');
  });

  it('refuses what is no policy', async () => {
    expect(() => expectPolicies({ policies: 'a: 1' })).toThrow('document 1 of the policies is not an object');
    expect(() => expectPolicies({ policies: 1 as never })).toThrow('policies as objects or as YAML, not 1');
    expect(() => expectPolicies({ policies: '', parms: [] } as never)).toThrow('did you mean "params"?');
    const broken = tags('Deny').replace('variables.images.all', 'variables.none.all');
    await expect(expectPolicies({ policies: broken }).toDeny(pod('a'))).rejects.toThrow(TypeError);
  });
});
