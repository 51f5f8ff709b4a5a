/** A fenced block of a document. */
export interface DocumentBlock {
  readonly language: string;
  /** The text after the language in the opening line. */
  readonly mark: string;
  /** Line of the document on which the text begins, from 1. */
  readonly line: number;
  readonly text: string;
}

/** A module of a document's blocks. Its lines are those of the document. */
export interface DocumentModule {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** Why only its types are checked; undefined if it runs. */
  readonly notRun: string | undefined;
}

const FENCE = /^```(\S+) *(.*)$/;

/** The fenced blocks that name a language. */
export function documentBlocks(document: string): readonly DocumentBlock[] {
  const blocks: DocumentBlock[] = [];
  let open: { language: string; mark: string; line: number; lines: string[] } | undefined;
  document.split('\n').forEach((text, index) => {
    if (open && text.startsWith('```')) {
      const { lines, ...block } = open;
      blocks.push({ ...block, text: lines.join('\n') });
      open = undefined;
    } else if (open) open.lines.push(text);
    else {
      const [, language = '', mark = ''] = FENCE.exec(text) ?? [];
      if (language !== '') open = { language, mark, line: index + 2, lines: [] };
    }
  });
  if (open) throw new Error(`the block of line ${open.line} is not closed`);
  return blocks;
}

/**
 * The modules of a document. A block is a module of its own by default: `continued` continues the previous
 * block, `file=NAME` is a module that later blocks may import, `no-run REASON` is type-checked only.
 */
export function documentModules(blocks: readonly DocumentBlock[]): readonly DocumentModule[] {
  const modules: DocumentModule[] = [];
  for (const block of blocks.filter(({ language }) => language === 'ts')) {
    const previous = modules.at(-1);
    if (block.mark !== 'continued') modules.push(moduleOf(block));
    else if (previous) modules[modules.length - 1] = { ...previous, text: continued(previous, block) };
    else throw new Error(`line ${block.line}: nothing stands before the block that could be continued`);
  }
  return modules;
}

function moduleOf({ mark, line, text }: DocumentBlock): DocumentModule {
  const [, file] = /^file=([\w.-]+\.ts)$/.exec(mark) ?? [];
  const [, reason] = /^no-run (\S.*)$/.exec(mark) ?? [];
  if (mark !== '' && file === undefined && reason === undefined)
    throw new Error(
      `line ${line}: a block of ts is marked continued, file=NAME.ts or no-run REASON, not ${mark}`,
    );
  return { file: file ?? `line-${line}.ts`, line, text: '\n'.repeat(line - 1) + text, notRun: reason };
}

function continued(module: DocumentModule, { line, text }: DocumentBlock): string {
  const lines = module.text.split('\n').length;
  return module.text + '\n'.repeat(line - lines) + text;
}

/** A command of a transcript and its output. */
export interface TranscriptStep {
  readonly line: number;
  readonly command: string;
  readonly output: string;
}

/**
 * The steps of a `console` block: a line that begins with `$ ` is a command, the following lines are its
 * output.
 */
export function transcriptSteps({ line, text }: DocumentBlock): readonly TranscriptStep[] {
  const steps: { line: number; command: string; lines: string[] }[] = [];
  text.split('\n').forEach((content, index) => {
    if (content.startsWith('$ ')) steps.push({ line: line + index, command: content.slice(2), lines: [] });
    else if (content.startsWith('> ') && steps.at(-1)?.lines.length === 0) {
      const step = steps.at(-1) as { command: string };
      step.command += `\n${content.slice(2)}`;
    } else steps.at(-1)?.lines.push(content);
  });
  return steps.map(({ lines, ...step }) => ({ ...step, output: lines.join('\n') }));
}
