import {
  authorizationTypes,
  authorizerValue,
  environmentSet,
  policyDeclarations,
  type Release,
  serverEnvironment,
} from '@ashlar/cel';
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from '@ashlar/core';
import { expect, it } from 'vitest';
import { forEachVocabulary, type Variable } from './clause-expressions.fixture.ts';

forEachVocabulary('Function libraries', ({ vocabulary, vet, answerOf }) => {
  const user = { name: 'ann', groups: ['staff'] };
  /** Evaluates over an authorizer that allows pods and paths below /healthz, and records its calls. */
  function asking(expression: string) {
    const asked: AuthorizationAttributes[] = [];
    const authorizer: Authorizer = {
      authorize(attributes): AuthorizationDecision {
        asked.push(attributes);
        const allowed = attributes.resource === 'pods' || attributes.path.startsWith('/healthz');
        return { decision: allowed ? 'allow' : 'no-opinion', reason: `asked by ${attributes.user.name}` };
      },
    };
    const variable: Variable = {
      type: authorizationTypes(vocabulary).authorizer,
      value: authorizerValue(vocabulary, authorizer, user),
    };
    const value = answerOf(expression, { authorizer: variable });
    return { value, asked };
  }
  const typeOf = (expression: string, variables: Readonly<Record<string, Variable>> = {}): string => {
    const result = vet(expression, variables);
    return result.ok ? result.type : result.error;
  };
  /** Type of an expression over an authorizer, without the prefix before the last dot. */
  const stepOf = (expression: string): string => {
    const type = authorizationTypes(vocabulary).authorizer;
    return typeOf(expression, {
      authorizer: {
        type,
        value: authorizerValue(vocabulary, { authorize: () => ({ decision: 'allow' }) }, user),
      },
    });
  };
  const step = (name: string): string => `${vocabulary.name}.authorization.${name}`;

  it('L030: indexOf and lastIndexOf find an element', () => {
    expect(answerOf("['a', 'b', 'a', 'b'].indexOf('b')")).toBe(1);
    expect(answerOf("['a', 'b', 'a', 'b'].lastIndexOf('b')")).toBe(3);
    expect(answerOf("[['a'].indexOf('c'), ['a'].lastIndexOf('c')]")).toEqual([-1, -1]);
  });

  it('L030: min, max and isSorted accept comparable elements', () => {
    const lists = [
      ['1', '2', '3'],
      ['1u', '2u', '3u'],
      ['-1.5', '0.0', '2.5'],
      ["'a'", "'b'", "'c'"],
      ["b'a'", "b'b'", "b'c'"],
      ["duration('1s')", "duration('1m')", "duration('1h')"],
      [
        "timestamp('2024-01-01T00:00:00Z')",
        "timestamp('2024-01-02T00:00:00Z')",
        "timestamp('2025-01-01T00:00:00Z')",
      ],
    ];
    for (const [low, middle, high] of lists) {
      expect(answerOf(`[${middle}, ${high}, ${low}].min() == ${low}`)).toBe(true);
      expect(answerOf(`[${middle}, ${high}, ${low}].max() == ${high}`)).toBe(true);
      expect(answerOf(`[${low}, ${middle}, ${middle}, ${high}].isSorted()`)).toBe(true);
      expect(answerOf(`[${middle}, ${low}].isSorted()`)).toBe(false);
    }
    expect(answerOf('[[false, true].isSorted(), [true, false].isSorted()]')).toEqual([true, false]);
    for (const call of ['min()', 'max()', 'isSorted()']) {
      expect(answerOf(`[{'a': 1}].${call}`)).toContain('no matching overload');
    }
    expect(answerOf('[].max()')).toContain('empty list');
  });

  it('L030: sum adds numbers and durations', () => {
    expect(answerOf('[1, 2, 3].sum()')).toBe(6);
    expect(answerOf('[1u, 2u].sum() == 3u')).toBe(true);
    expect(answerOf('[0.5, 0.25].sum()')).toBe(0.75);
    expect(answerOf("[duration('1s'), duration('1m')].sum() == duration('61s')")).toBe(true);
    expect(answerOf('[9223372036854775807, 1].sum()')).toContain('overflow');
    for (const list of ["['a']", '[true]'])
      expect(answerOf(`${list}.sum()`)).toContain('no matching overload');
  });

  it('L031: find and findAll return what matches accepts', () => {
    expect(answerOf("'a1b22'.matches('[0-9]+')")).toBe(true);
    expect(answerOf("'a1b22'.find('[0-9]+')")).toBe('1');
    expect(answerOf("'a1b22'.findAll('[0-9]+')")).toEqual(['1', '22']);
    expect(answerOf("'a1b22c3'.findAll('[0-9]+', 2)")).toEqual(['1', '22']);
    expect(answerOf("['ab'.matches('[0-9]+')] == [false] ? 'ab'.find('[0-9]+') : 'x'")).toBe('');
    expect(answerOf("'ab'.findAll('[0-9]+')")).toEqual([]);
    expect(answerOf("'ab'.find(['('][0])")).toContain('error: ');
  });

  it('L032: isURL accepts absolute URLs, url parses them', () => {
    for (const text of ['https://example.com/a', 'http://10.0.0.1:80', 'https://[::1]:8443/a?b=c']) {
      expect(answerOf(`isURL('${text}')`)).toBe(true);
      expect(typeOf(`url('${text}')`)).toBe(`${vocabulary.name}.URL`);
    }
    for (const text of ['', 'a', '../a', 'a b', 'https://a:b:c/', ':foo']) {
      expect(answerOf(`isURL('${text}')`)).toBe(false);
      expect(answerOf(`url(['${text}'][0])`)).toContain('URL parse error');
    }
  });

  it('L032: a URL has its parts', () => {
    const address = "url('https://example.com:8443/a%20b/?x=1&x=2&y=%3D')";
    expect(answerOf(`${address}.getScheme()`)).toBe('https');
    expect(answerOf(`${address}.getHost()`)).toBe('example.com:8443');
    expect(answerOf(`${address}.getHostname()`)).toBe('example.com');
    expect(answerOf(`${address}.getPort()`)).toBe('8443');
    expect(answerOf(`${address}.getEscapedPath()`)).toBe('/a%20b/');
    expect(answerOf(`${address}.getQuery()`)).toEqual({ x: ['1', '2'], y: ['='] });
    expect(answerOf("url('https://[::1]/').getHost() + url('https://[::1]/').getHostname()")).toBe(
      '[::1]::1',
    );
    expect(answerOf("url('https://a/').getPort() + url('https://a').getEscapedPath()")).toBe('');
  });

  it('L034: quantity parses quantities only', () => {
    for (const text of ['1', '1.5Gi', '500m', '-2k', '1e3', '100Ki']) {
      expect(typeOf(`quantity('${text}')`)).toBe(`${vocabulary.name}.Quantity`);
    }
    for (const text of ['', 'a', '1 Gi', '1GI', '--1', '1.2.3']) {
      expect(answerOf(`quantity('${text}')`)).toMatch(/^error: .*quantit/);
      expect(answerOf(`quantity('${text}' + ['', ''][0])`)).toMatch(/^error: /);
    }
  });

  it('L035: optional values are for new expressions since 1.29, and for stored ones in 1.28', () => {
    const expression = "optional.of(1).orValue(2) + {'a': 1}[?'b'].orValue(3)";
    const [earlier, since] = [environmentSet('1.28', { vocabulary }), environmentSet('1.29', { vocabulary })];
    expect(earlier.forNew.compile(expression).ok).toBe(false);
    expect(since.forNew.compile(expression).ok).toBe(true);
    // A server of 1.28 itself: it has everything of its release.
    for (const environment of [earlier.forStored, serverEnvironment({ vocabulary, release: '1.28' })]) {
      const compiled = environment.compile(expression);
      expect(compiled.ok && compiled.program.evaluate({})).toMatchObject({ ok: true, value: 4 });
    }
    expect(serverEnvironment({ vocabulary, release: '1.27' }).compile(expression).ok).toBe(false);
  });

  it('L036: the authorizer is available for fields that support it', () => {
    const expression = "authorizer.group('').resource('pods').check('get').allowed()";
    const environment = serverEnvironment({ vocabulary });
    const compiles = (authorizer: boolean): boolean =>
      environment.extend(policyDeclarations(vocabulary, { authorizer })).compile(expression).ok;
    expect([compiles(true), compiles(false)]).toEqual([true, false]);
    expect(environment.compile(expression).ok).toBe(false);
  });

  it('L036: it checks permissions of the user of the request', () => {
    const { value, asked } = asking("authorizer.group('').resource('pods').check('get').reason()");
    expect([value, asked.map((attributes) => attributes.user)]).toEqual(['asked by ann', [user]]);
  });

  it('L037: group and resource start a check of a resource', () => {
    expect(stepOf("authorizer.group('apps').resource('pods')")).toBe(step('ResourceCheck'));
    const { asked } = asking("authorizer.group('apps').resource('pods').check('get').allowed()");
    expect(asked).toMatchObject([{ isResourceRequest: true, apiGroup: 'apps', resource: 'pods', path: '' }]);
    expect(asked).toMatchObject([{ subresource: '', namespace: '', name: '' }]);
    expect(stepOf("authorizer.resource('pods')")).toContain('no matching overload');
  });

  it('L038: subresource, namespace and name narrow it in any order', () => {
    const narrowed = ["subresource('status')", "namespace('a')", "name('x')"];
    for (const part of narrowed) {
      expect(stepOf(`authorizer.group('').resource('pods').${part}`)).toBe(step('ResourceCheck'));
    }
    for (const chain of [narrowed, [...narrowed].reverse()]) {
      const { asked } = asking(
        `authorizer.group('').resource('pods').${chain.join('.')}.check('get').allowed()`,
      );
      expect(asked).toMatchObject([{ resource: 'pods', subresource: 'status', namespace: 'a', name: 'x' }]);
    }
    const { asked } = asking("authorizer.group('').resource('pods').namespace('a').check('get').allowed()");
    expect(asked).toMatchObject([{ subresource: '', namespace: 'a', name: '' }]);
  });

  it('L039: check authorizes a verb on a resource', () => {
    expect(stepOf("authorizer.group('').resource('pods').check('create')")).toBe(step('Decision'));
    const { asked } = asking("authorizer.group('').resource('pods').check('create').allowed()");
    expect(asked).toMatchObject([{ verb: 'create', isResourceRequest: true }]);
  });

  it('L040: path starts a check of a path', () => {
    expect(stepOf("authorizer.path('/healthz')")).toBe(step('PathCheck'));
    expect(stepOf("authorizer.path('/healthz').namespace('a')")).toContain('no matching overload');
  });

  it('L041: check authorizes a verb on a path', () => {
    expect(stepOf("authorizer.path('/healthz').check('get')")).toBe(step('Decision'));
    const { value, asked } = asking("authorizer.path('/healthz/etcd').check('post').allowed()");
    expect(value).toBe(true);
    expect(asked).toMatchObject([
      { isResourceRequest: false, path: '/healthz/etcd', verb: 'post', resource: '' },
    ]);
  });

  it('L042: a decision is allowed or not, with a reason', () => {
    const decision = (resource: string): string =>
      `authorizer.group('').resource('${resource}').check('get')`;
    expect(asking(`${decision('pods')}.allowed()`).value).toBe(true);
    expect(asking(`${decision('secrets')}.allowed()`).value).toBe(false);
    expect(asking(`${decision('secrets')}.reason()`).value).toBe('asked by ann');
    expect([stepOf(`${decision('pods')}.allowed()`), stepOf(`${decision('pods')}.reason()`)]).toEqual([
      'bool',
      'string',
    ]);
  });

  it('L043: serviceAccount checks a service account', () => {
    expect(stepOf("authorizer.serviceAccount('a', 'robot')")).toBe(step('Authorizer'));
    const { asked } = asking(
      "authorizer.serviceAccount('a', 'robot').group('').resource('pods').check('get').allowed()",
    );
    expect(asked[0]?.user).toEqual({
      name: 'system:serviceaccount:a:robot',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:a'],
    });
  });

  it('L044: selectors narrow a check since 1.31, with the gate AuthorizeWithSelectors', () => {
    const question = "authorizer.group('').resource('pods')";
    for (const [name, selector] of [
      ['fieldSelector', 'spec.nodeName=x'],
      ['labelSelector', 'app in (a, b)'],
    ] as const) {
      const call = `${question}.${name}('${selector}')`;
      expect(stepOf(call)).toBe(step('ResourceCheck'));
      expect(asking(`${call}.check('list').allowed()`).asked).toMatchObject([
        { verb: 'list', [name]: selector },
      ]);
      const knows = (release: Release, authorizeWithSelectors?: boolean): boolean =>
        serverEnvironment({
          vocabulary,
          release,
          ...(authorizeWithSelectors !== undefined && { authorizeWithSelectors }),
        })
          .extend(policyDeclarations(vocabulary, { authorizer: true }))
          .compile(`${call}.check('list').allowed()`).ok;
      expect([knows('1.30'), knows('1.31'), knows('1.32')]).toEqual([false, true, true]);
      expect([knows('1.30', true), knows('1.31', true), knows('1.32', true)]).toEqual([false, true, true]);
      expect([knows('1.31', false), knows('1.32', false)]).toEqual([false, false]);
    }
  });

  const WHOLE = ['0', '-5', '1k', '2Gi', '1e3', '999999999999999999'];
  const BROKEN = ['1500m', '1.5', '1n', '0.0001Ki'];
  const TOO_LARGE = ['9223372036854775808', '-9223372036854775809', '16Ei', '1e30'];

  it('L046: isInteger is true if asInteger is safe', () => {
    for (const text of WHOLE)
      expect([text, answerOf(`quantity('${text}').isInteger()`)]).toEqual([text, true]);
    for (const text of [...BROKEN, ...TOO_LARGE]) {
      expect([text, answerOf(`quantity('${text}').isInteger()`)]).toEqual([text, false]);
    }
    for (const text of [...WHOLE, ...BROKEN, ...TOO_LARGE]) {
      const safe = vet(`quantity('${text}').asInteger()`).ok;
      expect([text, answerOf(`quantity('${text}').isInteger()`)]).toEqual([text, safe]);
    }
  });

  it('L047: asInteger returns the integer or an error', () => {
    expect(WHOLE.map((text) => answerOf(`quantity('${text}').asInteger()`))).toEqual([
      0,
      -5,
      1000,
      2147483648,
      1000,
      '999999999999999999',
    ]);
    expect(typeOf("quantity('1').asInteger()")).toBe('int');
    expect(answerOf("quantity('-999999999999999999').asInteger() == -999999999999999999")).toBe(true);
    for (const text of [...BROKEN, ...TOO_LARGE]) {
      expect(answerOf(`quantity('${text}').asInteger()`)).toContain('cannot convert value to integer');
    }
  });

  it('L048: asApproximateFloat returns a double', () => {
    expect(typeOf("quantity('1').asApproximateFloat()")).toBe('double');
    expect(answerOf("quantity('1500m').asApproximateFloat()")).toBe(1.5);
    expect(answerOf("quantity('9007199254740993').asApproximateFloat() == 9007199254740992.0")).toBe(true);
    expect(answerOf("quantity('1e400').asApproximateFloat() == double('Infinity')")).toBe(true);
    expect(answerOf("quantity('-1e400').asApproximateFloat() == double('-Infinity')")).toBe(true);
  });

  it('L049: sign is 1, -1 or 0', () => {
    const signs = ['5Gi', '1m', '-1m', '-5', '0', '0Ki'].map((text) =>
      answerOf(`quantity('${text}').sign()`),
    );
    expect(signs).toEqual([1, 1, -1, -1, 0, 0]);
    expect(typeOf("quantity('1').sign()")).toBe('int');
  });

  it('L050: add returns the sum with a quantity or an int', () => {
    expect(typeOf("quantity('1').add(quantity('1'))")).toBe(`${vocabulary.name}.Quantity`);
    expect(answerOf("quantity('1k').add(quantity('500m')) == quantity('1000.5')")).toBe(true);
    expect(answerOf("quantity('1k').add(-1) == quantity('999')")).toBe(true);
    expect(answerOf("quantity('1').add('1')")).toContain('no matching overload');
  });

  it('L051: sub returns the difference from a quantity or an int', () => {
    expect(typeOf("quantity('1').sub(1)")).toBe(`${vocabulary.name}.Quantity`);
    expect(answerOf("quantity('1k').sub(quantity('500m')) == quantity('999.5')")).toBe(true);
    expect(answerOf("quantity('1k').sub(2000) == quantity('-1k')")).toBe(true);
    expect(answerOf("quantity('1').sub(1.0)")).toContain('no matching overload');
  });

  const ORDERED = [
    ['500m', '1', -1],
    ['1Gi', '1G', 1],
    ['1000', '1k', 0],
    ['-1', '0', -1],
    ['1e400', '1e399', 1],
  ] as const;

  it('L052: isLessThan and isGreaterThan compare with the operand', () => {
    for (const [a, b, order] of ORDERED) {
      expect(answerOf(`quantity('${a}').isLessThan(quantity('${b}'))`)).toBe(order < 0);
      expect(answerOf(`quantity('${a}').isGreaterThan(quantity('${b}'))`)).toBe(order > 0);
    }
  });

  it('L053: compareTo returns the order', () => {
    for (const [a, b, order] of ORDERED) {
      expect(answerOf(`quantity('${a}').compareTo(quantity('${b}'))`)).toBe(order);
      expect(answerOf(`quantity('${b}').compareTo(quantity('${a}')) == ${-order}`)).toBe(true);
    }
  });

  it('L054: quantities were added in 1.28', () => {
    const knows = (release: '1.27' | '1.28'): boolean =>
      serverEnvironment({ vocabulary, release }).compile("quantity('1').isInteger()").ok;
    expect([knows('1.27'), knows('1.28')]).toEqual([false, true]);
  });
});
