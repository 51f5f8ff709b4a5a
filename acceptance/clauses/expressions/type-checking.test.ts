import { type Evaluation, policyDeclarations } from '@ashlar/cel';
import type { JsonValue, Schema } from '@ashlar/core';
import { expect, it } from 'vitest';
import { forEachVocabulary, withRules } from './clause-expressions.fixture.ts';

forEachVocabulary('Type checking', ({ vocabulary, environment, failures }) => {
  const policy = environment.extend(policyDeclarations(vocabulary));
  const refusal = (expression: string): string => {
    const compiled = policy.compile(expression);
    return compiled.ok ? '' : compiled.text;
  };
  function evaluate(expression: string, object: JsonValue): Evaluation {
    const compiled = policy.compile(expression);
    if (!compiled.ok) throw new Error(compiled.text);
    return compiled.program.evaluate({ object });
  }

  it('L055: rules of schemas are fully type-checked', () => {
    const item: Schema = { type: 'object', properties: { n: { type: 'integer' } } };
    const schema: Schema = {
      type: 'object',
      properties: { a: { type: 'string' }, list: { type: 'array', items: item } },
    };
    const received = (rule: string): string => failures(withRules(schema, rule), { a: 'x' }).join();
    expect(received("self.a == 'x'")).toBe('');
    // Errors in unreachable parts are reported, too.
    for (const wrong of [
      'self.b == 1',
      'self.a == 1',
      'self.list.all(i, i.m == 1)',
      "self.list[0].n == 'x'",
      'none',
    ]) {
      expect(received(`true || ${wrong}`)).toMatch(/^rule compile error: /);
    }
  });

  it('L055: an unknown field of the request is rejected, one of the object is not', () => {
    expect(refusal("request.operation == 'CREATE' && request.kind.group == 'apps'")).toBe('');
    expect(refusal('request.none == 1')).toContain("undefined field 'none'");
    expect(refusal('request.userInfo.none == 1')).toContain("undefined field 'none'");
    expect(refusal('request.operation == 1')).toContain('no matching overload');
    expect(refusal("object.none == 1 && object.none.deeper == 'x' && object.none > 1.5")).toBe('');
  });

  it('L055: a field of the object that is not there is an error when it is read', () => {
    expect(evaluate('object.spec.n == 1', { spec: { n: 1 } })).toMatchObject({ ok: true, value: true });
    const missing = evaluate('object.spec.n == 1', { spec: {} });
    expect(missing.ok ? '' : missing.error.message).toBe('no such key: n');
  });

  it('L055: has() returns whether a field can be read', () => {
    const guarded = 'has(object.spec) && has(object.spec.n) ? object.spec.n : 7';
    const given = [{ spec: { n: 1 } }, { spec: {} }, {}].map((object) => evaluate(guarded, object));
    expect(given.map((result) => result.ok && result.value)).toEqual([1, 7, 7]);
  });
});
