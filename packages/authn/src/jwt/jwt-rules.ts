import { type FieldError, FieldErrors, type Vocabulary, validateDomainPrefixedPath } from '@ashlar/core';
import type {
  ClaimMappings,
  ClaimValidationRule,
  ExtraMapping,
  JwtConfiguration,
  PrefixedMapping,
  UserValidationRule,
} from './authentication-configuration.ts';
import { type ClaimsExpression, compileExpression, type Subject } from './claims-expression.ts';

/** The compiled validation and mapping rules of an issuer. */
export interface JwtRules {
  readonly username?: ClaimsExpression;
  readonly groups?: ClaimsExpression;
  readonly uid?: ClaimsExpression;
  readonly extra: readonly { readonly key: string; readonly expression: ClaimsExpression }[];
  readonly claimConditions: readonly Condition[];
  readonly userConditions: readonly Condition[];
}

/** An expression that must be true. */
export interface Condition {
  readonly expression: ClaimsExpression;
  readonly message: string;
}

/** Returns the rules; they are usable only if there are no errors. */
export interface CompiledRules {
  readonly rules: JwtRules;
  readonly errors: readonly FieldError[];
}

/**
 * Compiles and checks the rules of an issuer (semantics/access#jwt).
 * @param field path of the rules, for errors
 */
export function compileJwtRules(
  configuration: JwtConfiguration,
  vocabulary: Vocabulary,
  field: string,
): CompiledRules {
  const compiler = new RuleCompiler(vocabulary);
  const { claimValidationRules = [], claimMappings = {}, userValidationRules = [] } = configuration;
  const claimConditions = compiler.claimConditions(`${field}claimValidationRules`, claimValidationRules);
  const mappings = compiler.mappings(`${field}claimMappings`, claimMappings, claimConditions);
  const userConditions = compiler.userConditions(`${field}userValidationRules`, userValidationRules);
  return { rules: { ...mappings, claimConditions, userConditions }, errors: compiler.errors };
}

const BOTH = "claim and expression can't both be set";
const EITHER = 'claim or expression is required';
const PREFIX = 'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
const UNVERIFIED =
  'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';

class RuleCompiler {
  readonly errors: FieldError[] = [];
  readonly #vocabulary: Vocabulary;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  claimConditions(field: string, rules: readonly ClaimValidationRule[]): readonly Condition[] {
    const claims = new Set<string>();
    const expressions = new Set<string>();
    return rules.flatMap((rule, i) => {
      const { claim = '', expression = '', message = '' } = rule;
      const place = `${field}[${i}]`;
      if (claim !== '' && expression !== '') this.errors.push(FieldErrors.invalid(place, claim, BOTH));
      else if (claim === '' && expression === '') this.errors.push(FieldErrors.required(place, EITHER));
      else if (claim !== '') this.#claimRule(place, rule, claims);
      else if (this.#isFirst(expressions, expression, `${place}.expression`, rule.requiredValue, place))
        return this.#condition(`${place}.expression`, expression, message, 'claims');
      return [];
    });
  }

  #claimRule(place: string, { claim = '', message = '' }: ClaimValidationRule, seen: Set<string>): void {
    if (message !== '')
      this.errors.push(
        FieldErrors.invalid(`${place}.message`, message, "message can't be set when claim is set"),
      );
    if (seen.has(claim)) this.errors.push(FieldErrors.duplicate(`${place}.claim`, claim));
    seen.add(claim);
  }

  #isFirst(seen: Set<string>, expression: string, field: string, requiredValue = '', place = ''): boolean {
    if (requiredValue !== '')
      this.errors.push(
        FieldErrors.invalid(
          `${place}.requiredValue`,
          requiredValue,
          "requiredValue can't be set when expression is set",
        ),
      );
    const repeated = seen.has(expression);
    if (repeated) this.errors.push(FieldErrors.duplicate(field, expression));
    seen.add(expression);
    return !repeated;
  }

  #condition(field: string, text: string, message: string, subject: Subject): readonly Condition[] {
    const expression = this.#compile(field, text, subject, true);
    return expression ? [{ expression, message }] : [];
  }

  userConditions(field: string, rules: readonly UserValidationRule[]): readonly Condition[] {
    const seen = new Set<string>();
    return rules.flatMap(({ expression = '', message = '' }, i) => {
      const place = `${field}[${i}].expression`;
      if (expression === '') {
        this.errors.push(FieldErrors.required(place, 'expression is required'));
        return [];
      }
      return this.#isFirst(seen, expression, place)
        ? this.#condition(place, expression, message, 'user')
        : [];
    });
  }

  mappings(
    field: string,
    mappings: ClaimMappings,
    conditions: readonly Condition[],
  ): Pick<JwtRules, 'username' | 'groups' | 'uid' | 'extra'> {
    const username = this.#prefixed(`${field}.username`, mappings.username ?? {}, true);
    const groups = this.#prefixed(`${field}.groups`, mappings.groups ?? {}, false);
    const uid = this.#uid(`${field}.uid`, mappings.uid ?? {});
    const extra = this.#extra(`${field}.extra`, mappings.extra ?? []);
    const others = [...extra, ...conditions].map(({ expression }) => expression);
    const verifies = [...(username ? [username] : []), ...others].some((each) =>
      each.reads('email_verified'),
    );
    if (username?.reads('email') && !verifies)
      this.errors.push(FieldErrors.invalid(`${field}.username.expression`, username.text, UNVERIFIED));
    return { ...(username && { username }), ...(groups && { groups }), ...(uid && { uid }), extra };
  }

  #prefixed(field: string, mapping: PrefixedMapping, required: boolean): ClaimsExpression | undefined {
    const { claim = '', expression = '', prefix } = mapping;
    if (claim !== '' && expression !== '') this.errors.push(FieldErrors.invalid(field, '', BOTH));
    else if (expression !== '') {
      const errorCount = this.errors.length;
      if (prefix !== undefined)
        this.errors.push(
          FieldErrors.invalid(`${field}.prefix`, prefix, "prefix can't be set when expression is set"),
        );
      const compiled = this.#compile(`${field}.expression`, expression, 'claims');
      return this.errors.length === errorCount ? compiled : undefined;
    } else if (claim !== '') {
      if (prefix === undefined) this.errors.push(FieldErrors.required(`${field}.prefix`, PREFIX));
    } else if (required) this.errors.push(FieldErrors.required(field, EITHER));
    return undefined;
  }

  #uid(field: string, { claim = '', expression = '' }: NonNullable<ClaimMappings['uid']>) {
    if (claim !== '' && expression !== '') this.errors.push(FieldErrors.invalid(field, '', BOTH));
    else if (expression !== '') return this.#compile(`${field}.expression`, expression, 'claims');
    return undefined;
  }

  #extra(field: string, mappings: readonly ExtraMapping[]): JwtRules['extra'] {
    const seen = new Set<string>();
    return mappings.flatMap(({ key = '', valueExpression = '' }, i) => {
      this.#extraKey(`${field}[${i}].key`, key);
      const repeated = seen.has(key);
      seen.add(key);
      if (repeated) {
        this.errors.push(FieldErrors.duplicate(`${field}[${i}].key`, key));
        return [];
      }
      const place = `${field}[${i}].valueExpression`;
      if (valueExpression === '') {
        this.errors.push(FieldErrors.required(place, 'valueExpression is required'));
        return [];
      }
      const expression = this.#compile(place, valueExpression, 'claims');
      return expression ? [{ key, expression }] : [];
    });
  }

  #extraKey(field: string, key: string): void {
    this.errors.push(...validateDomainPrefixedPath(field, key));
    if (key !== key.toLowerCase()) this.errors.push(FieldErrors.invalid(field, key, 'key must be lowercase'));
    const slash = key.indexOf('/');
    const domain = slash < 0 ? '' : key.slice(0, slash);
    const reserved = reservedDomains(this.#vocabulary);
    if (reserved.some((each) => domain === each || domain.endsWith(`.${each}`)))
      this.errors.push(FieldErrors.invalid(field, key, reservedText(reserved, this.#vocabulary)));
  }

  #compile(field: string, text: string, subject: Subject, mustBeTrue = false): ClaimsExpression | undefined {
    const compiled = compileExpression(text, subject, this.#vocabulary, mustBeTrue);
    if (typeof compiled !== 'string') return compiled;
    this.errors.push(FieldErrors.invalid(field, text, compiled));
    return undefined;
  }
}

/** Reserved domains of the vendor; those for experiments are not reserved. */
const reservedDomains = ({ reservedDomains: domains }: Vocabulary): readonly string[] =>
  domains.filter((domain) => !domain.startsWith('x-'));

function reservedText(domains: readonly string[], { name }: Vocabulary): string {
  const vendor = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  return `${domains.join(', ')} and their subdomains are reserved for ${vendor} use`;
}
