import {
  type CallNode,
  type ComprehensionNode,
  type Expression,
  type ListNode,
  type MapNode,
  type MessageNode,
  Operator,
  type ParsedExpression,
  type SelectNode,
} from '../syntax/ast.ts';
import { qualifiedName } from '../syntax/qualified-name.ts';
import type { Issue } from '../syntax/source.ts';
import { typeOfValue } from '../values/values.ts';
import { isDynamic, mostGeneral, Substitutions } from './assignability.ts';
import type { CheckResult, Reference } from './checked-expression.ts';
import type { DeclarationScope } from './declaration-scope.ts';
import type { FunctionDeclaration, Overload } from './declarations.ts';
import { instantiate } from './instantiate.ts';
import { type CelType, optionalContent, sameType, types, typeText } from './types.ts';

/** Determines the type and reference of every node. */
export function check(parsed: ParsedExpression, scope: DeclarationScope): CheckResult {
  const checker = new Checker(parsed, scope);
  return checker.run();
}

class Checker {
  readonly #parsed: ParsedExpression;
  readonly #scope: DeclarationScope;
  readonly #substitutions = new Substitutions();
  readonly #issues: Issue[] = [];
  readonly #types: (CelType | undefined)[];
  readonly #references: (Reference | undefined)[];
  /** Variables of enclosing loops, innermost last. */
  readonly #locals: [name: string, type: CelType][] = [];

  constructor(parsed: ParsedExpression, scope: DeclarationScope) {
    this.#parsed = parsed;
    this.#scope = scope;
    this.#types = new Array(parsed.idLimit);
    this.#references = new Array(parsed.idLimit);
  }

  run(): CheckResult {
    const { root } = this.#parsed;
    this.#check(root);
    if (this.#issues.length > 0) return { ok: false, issues: this.#issues };
    for (let id = 0; id < this.#types.length; id++) {
      const type = this.#types[id];
      if (type) this.#types[id] = this.#substitutions.resolve(type, true);
    }
    const type = this.#types[root.id] as CelType;
    const kind = 'checked' as const;
    const expression = { ...this.#parsed, kind, types: this.#types, references: this.#references, type };
    return { ok: true, expression };
  }

  #report(node: { readonly position: number }, message: string): void {
    this.#issues.push({ message, position: node.position });
  }

  #undeclared(node: Expression, name: string): CelType {
    this.#report(node, `undeclared reference to '${name}' (in container '${this.#scope.container}')`);
    return types.error;
  }

  #mismatch(node: Expression, expected: CelType, actual: CelType): void {
    this.#report(node, `expected type '${typeText(expected)}' but found '${typeText(actual)}'`);
  }

  #typeOf(node: Expression): CelType {
    return this.#types[node.id] ?? types.error;
  }

  #check(node: Expression): CelType {
    const type = this.#typeOfNode(node);
    this.#types[node.id] = type;
    return type;
  }

  #typeOfNode(node: Expression): CelType {
    switch (node.kind) {
      case 'constant':
        return typeOfValue(node.value);
      case 'identifier':
        return this.#identifier(node, [node.name]) ?? this.#undeclared(node, node.name);
      case 'select':
        return this.#select(node);
      case 'call':
        return this.#call(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'message':
        return this.#message(node);
      case 'comprehension':
        return this.#comprehension(node);
    }
  }

  /** Type of the variable, constant or type that the qualified name refers to, if any. */
  #identifier(node: Expression, parts: readonly string[]): CelType | undefined {
    const first = parts[0] as string;
    for (let i = this.#locals.length - 1; i >= 0; i--) {
      const [name, type] = this.#locals[i] as [string, CelType];
      if (name !== first) continue;
      if (parts.length > 1) return undefined;
      this.#references[node.id] = { name, local: true };
      return type;
    }
    const found = this.#scope.findIdentifier(parts.join('.'));
    if (!found) return undefined;
    this.#references[node.id] = {
      name: found.name,
      ...(found.value !== undefined && { value: found.value }),
    };
    return found.type;
  }

  #select(node: SelectNode): CelType {
    if (!node.testOnly) {
      const parts = qualifiedName(node);
      const type = parts && this.#identifier(node, parts);
      if (type) return type;
    }
    const field = this.#field(node, node.operand, node.field, false);
    return node.testOnly ? types.bool : this.#substitutions.resolve(field, false);
  }

  #field(node: Expression, operand: Expression, field: string, optional: boolean): CelType {
    const operandType = this.#substitutions.resolve(this.#check(operand), false);
    const content = optionalContent(operandType);
    const result = this.#fieldType(node, content ?? operandType, field);
    return content || optional ? types.optional(result) : result;
  }

  #fieldType(node: Expression, target: CelType, field: string): CelType {
    switch (target.kind) {
      case 'map':
        return target.parameters[1] as CelType;
      case 'object': {
        const type = this.#scope.fieldType(target.name, field);
        if (!type) this.#report(node, `undefined field '${field}'`);
        return type ?? types.error;
      }
      case 'parameter':
        this.#substitutions.assignable(types.dyn, target);
        return types.dyn;
      default:
        if (!isDynamic(target)) {
          this.#report(node, `type '${typeText(target)}' does not support field selection`);
        }
        return types.dyn;
    }
  }

  #call(node: CallNode): CelType {
    if (node.function === Operator.optionalSelect) return this.#optionalSelect(node);
    for (const argument of node.arguments) this.#check(argument);
    if (!node.target) {
      const declared = this.#scope.findFunction(node.function);
      return declared ? this.#resolve(node, declared, undefined) : this.#undeclared(node, node.function);
    }
    const prefix = qualifiedName(node.target);
    const namespaced = prefix && this.#scope.findFunction([...prefix, node.function].join('.'));
    if (namespaced) return this.#resolve(node, namespaced, undefined);
    this.#check(node.target);
    const declared = this.#scope.findFunction(node.function);
    return declared ? this.#resolve(node, declared, node.target) : this.#undeclared(node, node.function);
  }

  #optionalSelect(node: CallNode): CelType {
    const [operand, field] = node.arguments as [Expression, Expression];
    const name = field.kind === 'constant' && typeof field.value === 'string' ? field.value : '';
    this.#types[field.id] = types.string;
    const declared = this.#scope.findFunction(Operator.optionalSelect);
    if (!declared) return this.#undeclared(node, Operator.optionalSelect);
    this.#references[node.id] = { function: declared, overloads: declared.overloads };
    return this.#substitutions.resolve(this.#field(node, operand, name, true), false);
  }

  #resolve(node: CallNode, declared: FunctionDeclaration, target: Expression | undefined): CelType {
    const operands = target ? [target, ...node.arguments] : node.arguments;
    const argumentTypes = operands.map((operand) => this.#typeOf(operand));
    if (declared.name === Operator.and || declared.name === Operator.or) {
      return this.#logic(node, declared, argumentTypes);
    }
    const matching: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of declared.overloads) {
      if (overload.member !== (target !== undefined) || overload.parameters.length !== argumentTypes.length)
        continue;
      if (this.#scope.isDisabled(overload.id)) continue;
      const signature = instantiate(overload, this.#substitutions);
      if (!this.#substitutions.allAssignable(argumentTypes, signature.parameters)) continue;
      matching.push(overload);
      const type = this.#substitutions.resolve(signature.result, false);
      if (!result) result = type;
      else if (result.kind !== 'dyn' && !sameType(type, result)) result = types.dyn;
    }
    this.#references[node.id] = {
      function: declared,
      overloads: matching,
      namespaced: node.target !== undefined && target === undefined,
    };
    return result ?? this.#noOverload(node, declared, argumentTypes, target !== undefined);
  }

  #noOverload(
    node: CallNode,
    declared: FunctionDeclaration,
    argumentTypes: readonly CelType[],
    member: boolean,
  ): CelType {
    const shown = argumentTypes.map((type) => typeText(this.#substitutions.resolve(type, true)));
    const signature = member ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`;
    this.#report(node, `found no matching overload for '${declared.name}' applied to '${signature}'`);
    return types.error;
  }

  #logic(node: CallNode, declared: FunctionDeclaration, argumentTypes: readonly CelType[]): CelType {
    this.#references[node.id] = { function: declared, overloads: declared.overloads };
    let valid = true;
    argumentTypes.forEach((type, i) => {
      if (this.#substitutions.assignable(type, types.bool)) return;
      this.#mismatch(node.arguments[i] as Expression, types.bool, type);
      valid = false;
    });
    return valid ? types.bool : types.error;
  }

  /** Type of an element or entry written with `?`: the type inside its optional. */
  #optionalElement(node: Expression, type: CelType): CelType {
    const content = optionalContent(type);
    if (!content && !isDynamic(type)) this.#mismatch(node, types.optional(type), type);
    return content ?? type;
  }

  #join(previous: CelType | undefined, current: CelType): CelType {
    if (!previous) return current;
    if (this.#substitutions.assignable(previous, current)) return mostGeneral(previous, current);
    return types.dyn;
  }

  #list(node: ListNode): CelType {
    let element: CelType | undefined;
    node.elements.forEach((item, i) => {
      const type = this.#check(item);
      element = this.#join(element, node.optionals.has(i) ? this.#optionalElement(item, type) : type);
    });
    return types.list(element ?? this.#substitutions.freshParameter());
  }

  #map(node: MapNode): CelType {
    let key: CelType | undefined;
    let value: CelType | undefined;
    for (const entry of node.entries) {
      key = this.#join(key, this.#check(entry.key));
      const type = this.#check(entry.value);
      value = this.#join(value, entry.optional ? this.#optionalElement(entry.value, type) : type);
    }
    return types.map(
      key ?? this.#substitutions.freshParameter(),
      value ?? this.#substitutions.freshParameter(),
    );
  }

  #message(node: MessageNode): CelType {
    const found = this.#scope.findIdentifier(node.typeName);
    if (!found) {
      this.#undeclared(node, node.typeName);
      return types.error;
    }
    const type = found.type.kind === 'type' ? (found.type.parameters[0] as CelType) : undefined;
    if (type?.kind !== 'object') {
      this.#report(node, `'${found.name}' is not a ${type ? 'message type' : 'type'}`);
      return types.error;
    }
    this.#references[node.id] = { name: found.name };
    for (const field of node.fields) this.#messageField(type, field);
    return type;
  }

  #messageField(type: CelType, field: MessageNode['fields'][number]): void {
    const valueType = this.#check(field.value);
    const value = field.optional ? this.#optionalElement(field.value, valueType) : valueType;
    const declared = this.#scope.fieldType(type.name, field.name);
    if (!declared) {
      this.#report(field, `undefined field '${field.name}'`);
      return;
    }
    if (this.#substitutions.assignable(declared, value)) return;
    const text = `expected type of field '${field.name}' is '${typeText(declared)}'`;
    this.#report(field, `${text} but provided type is '${typeText(value)}'`);
  }

  #comprehension(node: ComprehensionNode): CelType {
    const range = this.#substitutions.resolve(this.#check(node.range), false);
    const accumulator = this.#check(node.initial);
    const [first, second] = this.#loopVariables(node, range);
    const depth = this.#locals.length;
    this.#locals.push([node.accumulator, accumulator], [node.variable, first]);
    if (node.secondVariable !== undefined) this.#locals.push([node.secondVariable, second]);
    this.#expect(node.condition, types.bool);
    this.#expect(node.step, accumulator);
    this.#locals.length = depth + 1;
    const result = this.#check(node.result);
    this.#locals.length = depth;
    return this.#substitutions.resolve(result, false);
  }

  #loopVariables(node: ComprehensionNode, range: CelType): [CelType, CelType] {
    const two = node.secondVariable !== undefined;
    switch (range.kind) {
      case 'list': {
        const element = range.parameters[0] as CelType;
        return two ? [types.int, element] : [element, element];
      }
      case 'map':
        return [range.parameters[0] as CelType, range.parameters[1] as CelType];
      case 'dyn':
      case 'error':
      case 'parameter':
        this.#substitutions.assignable(types.dyn, range);
        return [types.dyn, types.dyn];
      default: {
        const text = `expression of type '${typeText(range)}' cannot be range of a comprehension`;
        this.#report(node.range, `${text} (must be list, map, or dynamic)`);
        return [types.error, types.error];
      }
    }
  }

  #expect(node: Expression, expected: CelType): void {
    const actual = this.#check(node);
    if (!this.#substitutions.assignable(expected, actual)) this.#mismatch(node, expected, actual);
  }
}
