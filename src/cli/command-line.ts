import { parseArgs } from 'node:util';
import { UsageError, type Options } from './commands/command.ts';
import { didYouMean } from '../core/schemas/problems.ts';
import { sharedOptions, type Option } from './verb.ts';
import { groupOf, optionsOf, verbs } from './verbs.ts';

export interface CommandLine {
  verb: string;
  arguments: string[];
  options: Options;
}

/** Undefined where help is asked for without a verb. Throws a UsageError that suggests what was probably meant. */
export function parseCommandLine(argv: readonly string[]): CommandLine | undefined {
  const [first, ...rest] = argv;
  if (first === 'help' && rest.length > 0) return parseCommandLine([...rest, '--help']);
  if (first === undefined || ['--help', '-h', 'help'].includes(first)) return undefined;
  const group = groupOf(first);
  if (group.length === 0) return parseVerb(first, rest);
  const [second = '', ...others] = rest;
  if (second === '--help' || second === '-h') return { verb: first, arguments: [], options: { help: true } };
  if (second === '' || second.startsWith('-'))
    throw new UsageError(`expected ${group.join(', ')}; got "${first}" alone`);
  return parseVerb(`${first} ${second}`, others);
}

function parseVerb(verb: string, args: string[]): CommandLine {
  const names = Object.keys(verbs);
  const known = `Verbs are ${names.join(', ')}`;
  if (verb.startsWith('-')) throw new UsageError(`expected a verb first; got "${verb}". ${known}`);
  if (!Object.hasOwn(verbs, verb))
    throw new UsageError(`unknown verb "${verb}".${didYouMean(verb, names)} ${known}`);

  const { arity: [least, most] = [0, 0], synopsis = 'no arguments' } = verbs[verb]!;
  const { values, positionals } = parseOptions(verb, args, optionsOf(verb));
  if (values['help'] !== true && (positionals.length < least || positionals.length > most)) {
    const got = positionals.length === 0 ? 'none' : positionals.join(', ');
    throw new UsageError(`${verb} takes ${synopsis}; got ${got}`);
  }
  return { verb, arguments: positionals, options: values };
}

function parseOptions(verb: string, args: string[], options: Readonly<Record<string, Option>>) {
  const needsValue = (name: string) =>
    new UsageError(`--${name} needs a value: --${name} ${options[name]?.value}`);
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true });
    const empty = Object.keys(parsed.values).find((name) => [parsed.values[name]].flat().includes(''));
    if (empty !== undefined) throw needsValue(empty);
    return parsed as { values: Options; positionals: string[] };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS_')) throw error;
    // Node names the option in the first quotes: Option '-h, --help' does not take an argument.
    const option = /'(?:-\w, )?(-[^' ]*)/.exec(message)![1]!;
    const name = option.replace(/^-+/, '');
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      if (Object.hasOwn(sharedOptions, name)) throw new UsageError(`${option} means nothing to ${verb}`);
      const isArgument = verbs[verb]!.arity !== undefined && !option.startsWith('--');
      const hint = isArgument ? ' An argument that begins with "-" comes after "--".' : '';
      const near = didYouMean(name, Object.keys(options), '--');
      throw new UsageError(`unknown option "${option}" of ${verb}.${near}${hint}`);
    }
    if (options[name]?.type === 'string') throw needsValue(name);
    const given = args.find((arg) => arg.startsWith(`${option}=`)) ?? '';
    throw new UsageError(`${option} takes no value; got "${given.slice(option.length + 1)}"`);
  }
}
