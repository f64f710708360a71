import { parseArgs } from 'node:util';
import { didYouMean } from '../core/text/wording.ts';
import {
  commonOptions,
  flag,
  sharedOptions,
  UsageError,
  type Arguments,
  type Command,
  type GivenOptions,
  type OptionTable,
} from './command.ts';

/** Every verb with its summary. The file of a verb, with help, options and `run`, is loaded only when called. */
export const commands: Readonly<Record<string, string>> = {
  gather: 'ask upstream and update data/',
  record: 'append the changes since the last run to the journal',
  build: 'make the site from components/ and data/',
  plan: 'show what the next daily run would change, hold and publish',
  accept: 'let a held change through, by its id',
  check: 'validate definitions, data and the built site',
  start: 'gather, then build',
  preview: 'serve the built site on 127.0.0.1',
  explain: 'explain the status of a component or version',
  search: 'find releases by a query',
  scan: 'check used versions against policies',
  mcp: 'answer agents by the Model Context Protocol on standard input',
  init: 'start an index of your own in a folder',
  add: 'define a component by what its registry states, and gather it',
  'key new': 'make an access key of a private index, and show it once',
  publish: 'upload the built site',
  sign: 'sign the built site, for a host that "publish" does not know',
  verify: 'check origin and integrity of a site',
  daily: 'gather, record, commit data/, build, publish',
  attention: 'open, update or close the issue with the alerts of "daily"',
  doctor: 'list what is missing before a publication',
  compare: 'compare this index with the index of another checkout',
};

export interface CommandLine {
  verb: string;
  command: Command;
  arguments: string[];
  options: GivenOptions;
}

/** Undefined for help without a verb, and for no arguments. Throws a UsageError with a suggestion. */
export async function parseCommandLine(argv: readonly string[]): Promise<CommandLine | undefined> {
  const [first, ...args] = argv;
  if (first === 'help' && args.length > 0) {
    return parseCommandLine([...args, '--help']);
  }
  if (first === undefined || ['--help', '-h', 'help'].includes(first)) {
    return undefined;
  }

  const [second, ...others] = args;
  const longVerb = `${first} ${second}`;
  return Object.hasOwn(commands, longVerb) ? parseVerb(longVerb, others) : parseVerb(first, args);
}

async function parseVerb(verb: string, args: string[]): Promise<CommandLine> {
  const verbs = Object.keys(commands);
  const verbList = `Verbs are ${verbs.join(', ')}`;
  if (verb.startsWith('-')) {
    throw new UsageError(`expected a verb first; got "${verb}". ${verbList}`);
  }
  if (!verbs.includes(verb)) {
    const longVerb = verbs.find((candidate) => candidate.startsWith(`${verb} `));
    const guess = didYouMean(longVerb ?? verb, verbs);
    throw new UsageError(`unknown verb "${verb}".${guess} ${verbList}`);
  }

  const command = await loadCommand(verb);
  const { values, positionals } = parseOptions(verb, args, command);
  if (values['help'] !== true) {
    checkArguments(verb, positionals, command.arguments ?? {});
  }

  return { verb, command, arguments: positionals, options: values };
}

/** Throws a UsageError for fewer or more arguments than a verb has, and for an empty one. */
function checkArguments(verb: string, args: readonly string[], expected: Arguments): void {
  const { required = [], optional = [], isOpen = false, mayBeEmpty = false } = expected;
  const expectation = `${verb} expects ${describeUsage(expected) || 'no arguments'}`;
  const hasTooMany = !isOpen && args.length > required.length + optional.length;
  if (args.length < required.length || hasTooMany) {
    throw new UsageError(`${expectation}; got ${args.length === 0 ? 'none' : args.join(', ')}`);
  }
  if (!mayBeEmpty && args.includes('')) {
    throw new UsageError(`${expectation}; got an empty argument`);
  }
}

/** `<component> [version...]` */
function describeUsage({ required = [], optional = [], isOpen }: Arguments): string {
  const names = [...required.map((name) => `<${name}>`), ...optional.map((name) => `[${name}]`)];
  const usage = names.join(' ');

  // Before the last bracket.
  return isOpen ? usage.replace(/.$/, '...$&') : usage;
}

function parseOptions(verb: string, args: string[], command: Command) {
  const accepted = { ...command, options: { ...command.options, ...commonOptions } };
  const { values, positionals, tokens } = parseArgs({
    args,
    options: { ...accepted.options, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const namesBefore = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'option') {
      checkOption(token, verb, accepted, namesBefore);
      namesBefore.add(token.name);
    }
  }

  // The tokens were checked, so each value has the type of its option.
  return { values: values as GivenOptions, positionals };
}

/** The arguments and options that a verb accepts, those of every command included. */
type AcceptedParts = Pick<Command, 'arguments'> & { options: OptionTable };

interface OptionToken {
  name: string;
  /** With the hyphens, as written. */
  rawName: string;
  value?: string | undefined;
  /** Whether "=" is before the value. */
  inlineValue?: boolean | undefined;
}

/** Throws a UsageError that names the value, or a similar option: Node's own errors have no such parts. */
function checkOption(
  token: OptionToken,
  verb: string,
  command: AcceptedParts,
  namesBefore: ReadonlySet<string>,
): void {
  const { name, rawName, value, inlineValue } = token;
  const option = Object.hasOwn(command.options, name) ? command.options[name] : undefined;
  if (!option) {
    throw new UsageError(describeUnknownOption(token, verb, command));
  }

  if (option.type === 'boolean') {
    if (value !== undefined) {
      throw new UsageError(`${rawName} accepts no value; got "${value}"`);
    }
    return;
  }

  // The next option is no value, but "-" is, for standard input.
  const looksLikeOption = inlineValue === false && /^-./.test(value ?? '');
  if (!value || looksLikeOption) {
    throw new UsageError(`--${name} needs a value: --${name} ${option.value}`);
  }
  if (namesBefore.has(name) && !('multiple' in option)) {
    throw new UsageError(`--${name}: expected one value; got "${value}" as a second one`);
  }
}

function describeUnknownOption(
  { name, rawName }: OptionToken,
  verb: string,
  { arguments: expected, options }: AcceptedParts,
): string {
  if (Object.hasOwn(sharedOptions, name)) {
    return `${verb} does not accept ${rawName}`;
  }

  const isArgument = expected !== undefined && !rawName.startsWith('--');
  const hint = isArgument ? ' An argument that begins with "-" comes after "--".' : '';
  const guess = didYouMean(name, Object.keys(options), '--');
  return `unknown option "${rawName}" of ${verb}.${guess}${hint}`;
}

export function renderOverview(): string {
  const width = Math.max(...Object.keys(commands).map((verb) => verb.length)) + 2;

  return [
    'release-index: a static index of the releases of many components, in the form Renovate reads.',
    '',
    'usage: npx release-index <verb> [arguments] [options]',
    '',
    'verbs:',
    ...Object.entries(commands).map(([verb, summary]) => `  ${verb.padEnd(width)}${summary}`),
    '',
    'options of most verbs:',
    ...formatOptions(sharedOptions),
    '',
    'options everywhere:',
    ...formatOptions(commonOptions),
    ...formatOptions({ version: flag('instead of a verb: the version of the program') }),
    '',
    'A first look: npx release-index start, then npx release-index preview',
    'More on a verb: npx release-index <verb> --help',
    'Exit status: 0 done; 1 wrong input or a broken rule; 2 a wrong command line; 3 nothing could be judged, as an index or',
    'a file cannot be read.',
    '',
  ].join('\n');
}

/** The help of one command. */
export function renderHelp({ verb, command }: CommandLine): string {
  const { arguments: usage, options, details, examples } = command;
  const width = Math.max(...examples.map(([example]) => example.length)) + 3;

  return [
    `${verb}: ${commands[verb]}`,
    '',
    `usage: npx release-index ${verb} ${usage ? `${describeUsage(usage)} ` : ''}[options]`,
    '',
    ...details,
    '',
    'options:',
    ...formatOptions({ ...options, ...commonOptions }),
    '',
    'examples:',
    ...examples.map(([example, meaning]) => `  ${example.padEnd(width)}${meaning}`),
    '',
  ].join('\n');
}

function formatOptions(options: OptionTable): string[] {
  const forms = Object.entries(options).map(([name, { value, summary }]) => {
    return { form: value === undefined ? `--${name}` : `--${name} ${value}`, summary };
  });
  const width = Math.max(22, ...forms.map(({ form }) => form.length + 2));
  return forms.map(({ form, summary }) => `  ${form.padEnd(width)}${summary}`);
}

/** The file of "key new" is `key-new.ts`. */
export async function loadCommand(verb: string): Promise<Command> {
  const file = verb.replace(' ', '-');
  const { command } = (await import(`./commands/${file}.ts`)) as { command: Command };
  return command;
}
