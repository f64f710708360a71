import { parseArgs } from 'node:util';
import { didYouMean } from '../core/nearest.ts';
import { sharedOptions, UsageError, type Command, type Options } from './command.ts';
import { commands, loadCommand, verbsOf } from './commands.ts';
import { commonOptions } from './help.ts';

export interface CommandLine {
  verb: string;
  arguments: string[];
  options: Options;
}

/** Undefined for help without a verb. Throws a UsageError with a suggestion. */
export async function parseCommandLine(argv: readonly string[]): Promise<CommandLine | undefined> {
  const [first, ...rest] = argv;
  if (first === 'help' && rest.length > 0) return parseCommandLine([...rest, '--help']);
  if (first === undefined || ['--help', '-h', 'help'].includes(first)) return undefined;
  const group = verbsOf(first);
  if (group.length === 0) return parseVerb(first, rest);
  const [second = '', ...others] = rest;
  if (second === '--help' || second === '-h') return { verb: first, arguments: [], options: { help: true } };
  if (second === '' || second.startsWith('-'))
    throw new UsageError(`expected ${group.join(', ')}; got "${first}" alone`);
  return parseVerb(`${first} ${second}`, others);
}

async function parseVerb(verb: string, args: string[]): Promise<CommandLine> {
  const verbs = Object.keys(commands);
  const known = `Verbs are ${verbs.join(', ')}`;
  if (verb.startsWith('-')) throw new UsageError(`expected a verb first; got "${verb}". ${known}`);
  if (!verbs.includes(verb))
    throw new UsageError(`unknown verb "${verb}".${didYouMean(verb, verbs)} ${known}`);

  const command = await loadCommand(verb);
  const { values, positionals } = parseOptions(verb, args, command);
  const { arguments: usage = '' } = command;
  const least = usage.replaceAll(/\[.*\]/g, '').match(/</g)?.length ?? 0;
  const most = usage.includes('...') ? Number.POSITIVE_INFINITY : (usage.match(/[\w|]+/g)?.length ?? 0);
  if (values['help'] !== true && (positionals.length < least || positionals.length > most)) {
    const got = positionals.length === 0 ? 'none' : positionals.join(', ');
    throw new UsageError(`${verb} expects ${usage || 'no arguments'}; got ${got}`);
  }
  return { verb, arguments: positionals, options: values };
}

function parseOptions(verb: string, args: string[], command: Command) {
  const options = { ...command.options, ...commonOptions };
  const needsValue = (name: string) =>
    new UsageError(`--${name} needs a value: --${name} ${options[name]?.value}`);
  try {
    const known = { ...options, help: { type: 'boolean', short: 'h' } } as const;
    const parsed = parseArgs({ args, options: known, allowPositionals: true });
    const values = parsed.values as Options;
    const empty = Object.keys(values).find((name) => [values[name]].flat().includes(''));
    if (empty !== undefined) throw needsValue(empty);
    return { values, positionals: parsed.positionals };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS_')) throw error;
    // Node names the option in the first quotes: Option '-h, --help' does not take an argument.
    const option = /'(?:-\w, )?(-[^' ]*)/.exec(message)![1]!;
    const name = option.replace(/^-+/, '');
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      if (Object.hasOwn(sharedOptions, name)) throw new UsageError(`${verb} does not accept ${option}`);
      const isArgument = command.arguments !== undefined && !option.startsWith('--');
      const hint = isArgument ? ' An argument that begins with "-" comes after "--".' : '';
      const near = didYouMean(name, Object.keys(options), '--');
      throw new UsageError(`unknown option "${option}" of ${verb}.${near}${hint}`);
    }
    if (options[name]?.type === 'string') throw needsValue(name);
    const given = args.find((arg) => arg.startsWith(`${option}=`)) ?? '';
    throw new UsageError(`${option} accepts no value; got "${given.slice(option.length + 1)}"`);
  }
}
