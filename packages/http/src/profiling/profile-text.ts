import type { Profile, ProfileFrame } from './profile.ts';

/** Prints a profile for people: each stack with its values, those with the largest first. */
export function profileText(name: string, { values, samples }: Profile): string {
  const units = values.map(({ type, unit }) => `${type}/${unit}`).join(' ');
  const sorted = [...samples].sort((a, b) => (b.values.at(-1) ?? 0) - (a.values.at(-1) ?? 0));
  const stacks = sorted.map(
    (sample) => `${sample.values.map(Math.round).join(' ')} @\n${sample.stack.map(frameLine).join('')}\n`,
  );
  return `${name} profile: total ${samples.length}\nvalues: ${units}\n\n${stacks.join('')}`;
}

const frameLine = ({ name, file, line }: ProfileFrame): string =>
  `#\t${name}${file ? `\t${file}${line ? `:${line}` : ''}` : ''}\n`;
