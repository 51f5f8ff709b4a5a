export { runCommand } from './command/command.ts';
export type { CommandSurroundings } from './command/command-surroundings.ts';
