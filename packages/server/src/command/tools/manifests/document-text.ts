/** A document of a file of manifests, with its place in the text. */
export interface DocumentText {
  readonly text: string;
  /** Offset of its first character. */
  readonly start: number;
  /** Number of its first line, from 1. */
  readonly line: number;
}

/** A line that separates documents. What follows the dashes belongs to the next document only if it is a comment or a directive. */
const SEPARATOR = /^---(?:[ \t].*)?\r?\n?/gm;

/** Splits a text into documents that are not empty. */
export function documentTexts(text: string): readonly DocumentText[] {
  const documents: DocumentText[] = [];
  let [start, line] = [0, 1];
  const add = (end: number): void => {
    const part = text.slice(start, end);
    if (hasContent(part)) documents.push({ text: part, start, line });
  };
  for (const match of text.matchAll(SEPARATOR)) {
    add(match.index);
    line += linesIn(text.slice(start, match.index + match[0].length));
    start = match.index + match[0].length;
  }
  add(text.length);
  return documents;
}

const linesIn = (text: string): number => text.split('\n').length - 1;

/** Whether a line has more than blanks and a comment. */
function hasContent(text: string): boolean {
  return text.split('\n').some((line) => {
    const content = line.trimStart();
    return content !== '' && !content.startsWith('#') && content !== '...';
  });
}

/** Returns the line number of an offset in a document. */
function lineAt({ text, line }: DocumentText, offset: number): number {
  return line + linesIn(text.slice(0, offset));
}

const VERSION = /["']?apiVersion["']?[ \t]{0,9}:[ \t]{0,9}["']?([\w./-]{1,300})/g;

/** Returns the number of the first line of a document that has more than blanks and a comment. */
export function firstLine({ text, line }: Pick<DocumentText, 'text' | 'line'>): number {
  return line + text.split('\n').findIndex(hasContent);
}

/** Returns the line that the message of an error of YAML names, counted from the beginning of the file. */
export function lineOfError({ line }: Pick<DocumentText, 'line'>, message: string): number | undefined {
  const named = /\bline (\d+)/.exec(message)?.[1];
  return named === undefined ? undefined : line + Number(named) - 1;
}

/** Returns the lines of a document that give an `apiVersion`. */
export function linesOfVersion(document: DocumentText, apiVersion: string): readonly number[] {
  return [...document.text.matchAll(VERSION)]
    .filter(([, value]) => value === apiVersion)
    .map(({ index }) => lineAt(document, index));
}

/** The version and the kind in a text, whether or not it can be parsed. */
export interface TextualType {
  readonly apiVersion: string;
  readonly kind: string;
  readonly line: number;
}

const TYPE_LINE = /^([ \t]*(?:- )?)(apiVersion|kind):[ \t]*["']?([\w./-]+)["']?[ \t]*(?:#.*)?\r?$/gm;

/** Finds versions with their kinds in a template: lines of the same indentation, one after the other. */
export function typesInText(document: DocumentText): readonly TextualType[] {
  const types: TextualType[] = [];
  let open: { apiVersion?: string; kind?: string; indent: number; line: number } | undefined;
  for (const { 1: before = '', 2: field, 3: value = '', index } of document.text.matchAll(TYPE_LINE)) {
    const indent = before.length;
    const isNext = open && open.indent === indent && (field === 'kind' ? !open.kind : !open.apiVersion);
    const line = lineAt(document, index);
    if (!open || !isNext) open = { indent, line };
    if (field === 'kind') open.kind = value;
    else Object.assign(open, { apiVersion: value, line });
    if (open.apiVersion !== undefined && open.kind !== undefined) {
      types.push({ apiVersion: open.apiVersion, kind: open.kind, line: open.line });
      open = undefined;
    }
  }
  return types;
}
