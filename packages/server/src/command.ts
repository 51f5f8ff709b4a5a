export { type CommandSurroundings, runCommand } from './lib/command.ts';
