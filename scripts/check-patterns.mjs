// Rejects regular expressions that are not proven linear in the searched text: all literals and all `new RegExp`
// in the sources of the packages, except tests. `node scripts/check-patterns.mjs [ROOT]`; ROOT contains packages/.
//
// An unproven pattern is accepted if the length of its text is limited before; a comment right above says so:
// `// Bounded pattern: names are at most 253 characters here.`
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { sourcesOf } from './sources.mjs';

// By default a native program or a Java machine is searched for.
process.env.RECHECK_BACKEND = 'pure';
const { checkSync } = await import('recheck').then((recheck) => recheck.default ?? recheck);

const BOUNDED = /^\s*Bounded pattern: \S/;
/** Methods that create a pattern from a string. */
const MAKE_PATTERNS = new Set(['match', 'matchAll', 'search']);

const verdicts = new Map();
const faults = [];
let count = 0;
const packages = join(process.argv[2] ?? '.', 'packages');
for (const name of readdirSync(packages)) sourcesOf(join(packages, name, 'src')).forEach(checkFile);
for (const fault of faults) console.error(fault);
if (count === 0) console.error('no pattern was found: the check looks in the wrong place');
process.exitCode = faults.length === 0 && count > 0 ? 0 : 1;

function checkFile(path) {
  const text = readFileSync(path, 'utf8');
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const constants = constantsOf(program);
  const check = (node, pattern) => {
    count++;
    const why = typeof pattern === 'string' ? pattern : faultOf(pattern);
    if (why && !isBounded(node, text, comments))
      faults.push(`${path}:${lineOf(text, node.start)}: ${why}: ${text.slice(node.start, node.end)}`);
  };
  const checkConstructor = (node) => {
    if (node.callee.name === 'RegExp') check(node, constructed(node.arguments, constants));
  };
  new Visitor({
    Literal: (node) => node.regex && check(node, { source: node.regex.pattern, flags: node.regex.flags }),
    NewExpression: checkConstructor,
    CallExpression: (node) => {
      checkConstructor(node);
      if (MAKE_PATTERNS.has(node.callee.property?.name) && isText(node.arguments[0]))
        check(node, 'a text that becomes a pattern; write a regular expression');
    },
  }).visit(program);
}

function isText(node) {
  return node?.type === 'TemplateLiteral' || typeof node?.value === 'string';
}

/** Top-level constants by name; a name that is declared again in an inner scope is not constant. */
function constantsOf(program) {
  const constants = new Map();
  for (const statement of program.body) {
    const declaration = statement.declaration ?? statement;
    if (declaration.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue;
    for (const { id, init } of declaration.declarations) constants.set(id.name, init);
  }
  const declared = (names) => {
    for (const { name, isTop } of names) if (name && !isTop) constants.delete(name);
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) =>
      declared([{ name: id.name, isTop: constants.get(id.name) === init }]),
    ArrowFunctionExpression: ({ params }) => declared(params.map(({ name }) => ({ name }))),
    FunctionDeclaration: ({ params }) => declared(params.map(({ name }) => ({ name }))),
    FunctionExpression: ({ params }) => declared(params.map(({ name }) => ({ name }))),
  }).visit(program);
  return constants;
}

/** The pattern of a constructor call, or why it is unknown. */
function constructed([pattern, flags], constants) {
  const source = folded(pattern, constants);
  const wanted = flags === undefined ? '' : folded(flags, constants);
  if (source === undefined || wanted === undefined) return 'a pattern that is not constant cannot be proven';
  return { source, flags: wanted };
}

/** The string value of a constant expression; undefined for all others. */
function folded(node, constants) {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : undefined;
    case 'Identifier':
      return constants.has(node.name) ? folded(constants.get(node.name), constants) : undefined;
    case 'TemplateLiteral':
      return interleaved(node, 'cooked', constants);
    case 'TaggedTemplateExpression':
      return isRaw(node.tag) ? interleaved(node.quasi, 'raw', constants) : undefined;
    case 'BinaryExpression':
      return node.operator === '+' ? joined([node.left, node.right], '', constants) : undefined;
    case 'MemberExpression':
      return node.property.name === 'source' ? sourceOf(node.object, constants) : undefined;
    case 'CallExpression':
      return foldedJoin(node, constants);
  }
}

function isRaw(tag) {
  return tag.object?.name === 'String' && tag.property?.name === 'raw';
}

function interleaved({ quasis, expressions }, form, constants) {
  const parts = quasis.flatMap(({ value }, i) => [
    value[form],
    ...(i < expressions.length ? [folded(expressions[i], constants)] : []),
  ]);
  return parts.includes(undefined) ? undefined : parts.join('');
}

function joined(nodes, separator, constants) {
  const parts = nodes.map((node) => folded(node, constants));
  return parts.includes(undefined) ? undefined : parts.join(separator);
}

/** `[…].join('|')`. */
function foldedJoin({ callee, arguments: [separator] }, constants) {
  if (callee.property?.name !== 'join') return undefined;
  const { object } = callee;
  const list = object.type === 'Identifier' ? constants.get(object.name) : object;
  const between = folded(separator, constants);
  return list?.type === 'ArrayExpression' && between !== undefined
    ? joined(list.elements, between, constants)
    : undefined;
}

/** `X.source`, where X is a pattern or its name. */
function sourceOf(node, constants) {
  const found = node.type === 'Identifier' ? constants.get(node.name) : node;
  if (found?.regex) return found.regex.pattern;
  return found?.type === 'NewExpression' ? folded(found.arguments[0], constants) : undefined;
}

/** Why a pattern is rejected; undefined if it is proven linear. */
function faultOf({ source, flags }) {
  const key = `/${source}/${flags}`;
  if (!verdicts.has(key)) verdicts.set(key, checked(source, flags));
  return verdicts.get(key);
}

function checked(source, flags) {
  // The library's other checkers are based on tests: no finding is no proof.
  const { status, complexity, error } = checkSync(source, flags, { checker: 'automaton', timeout: 60_000 });
  if (status === 'safe') return undefined;
  if (status === 'vulnerable') return `takes ${complexity.summary} time`;
  return `cannot be proven linear (${error.kind === 'timeout' ? 'it takes too long' : error.message})`;
}

/**
 * Whether a comment right above the statement line of a node, or above the lines of that comment, states the
 * bound.
 */
function isBounded(node, text, comments) {
  const line = lineOf(text, node.start);
  const lines = new Map(comments.map((comment) => [lineOf(text, comment.end), comment.value]));
  for (let above = line - 1; lines.has(above); above--) if (BOUNDED.test(lines.get(above))) return true;
  return false;
}

function lineOf(text, offset) {
  return text.slice(0, offset).split('\n').length;
}
