export { type CommandSurroundings, runCommand } from './command/command.ts';
