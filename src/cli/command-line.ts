import { UsageError } from '../commands/command.ts';
import { parseArgs } from 'node:util';
import { commonOptions, verbs } from './usage.ts';

export interface CommandLine {
  verb: string;
  arguments: string[];
  options: Record<string, string | boolean | undefined>;
}

/** Undefined: no verb, only a wish for help. Suggests what was probably meant. */
export async function parseCommandLine(argv: readonly string[]): Promise<CommandLine | undefined> {
  const [verb, ...rest] = argv;
  if (verb === undefined || verb === '--help' || verb === '-h' || verb === 'help') return undefined;
  if (!Object.hasOwn(verbs, verb)) {
    if (verb.startsWith('-'))
      throw new UsageError(`expected a verb first; got "${verb}". Verbs are ${list(Object.keys(verbs))}`);
    throw new UsageError(
      `unknown verb "${verb}".${await didYouMean(verb, Object.keys(verbs))} Verbs are ${list(Object.keys(verbs))}`,
    );
  }
  const { options, arity, synopsis } = verbs[verb]!;
  const known = { ...commonOptions, ...options };
  const { values, positionals, tokens } = parseArgs({
    args: rest,
    options: Object.fromEntries(Object.entries(known).map(([name, { type }]) => [name, { type }])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = known[token.name];
    if (token.rawName === '-h') values['help'] = true;
    else if (!option) {
      const mayBeText = arity[1] > 0 && !token.rawName.startsWith('--');
      const hint = mayBeText
        ? ' An argument that begins with "-" comes after "--".'
        : await didYouMean(token.name, Object.keys(known), '--');
      throw new UsageError(`unknown option "${token.rawName}" of ${verb}.${hint}`);
    } else if (
      option.type === 'string' &&
      (token.value === undefined ||
        token.value === '' ||
        (!token.inlineValue && token.value.startsWith('--')))
    ) {
      throw new UsageError(`--${token.name} needs a value: --${token.name} ${option.value}`);
    } else if (option.type === 'boolean' && token.value !== undefined) {
      throw new UsageError(`--${token.name} takes no value; got "${token.value}"`);
    }
  }
  if (values['help'] !== true && (positionals.length < arity[0] || positionals.length > arity[1])) {
    throw new UsageError(
      `${verb} takes ${synopsis === '' ? 'no arguments' : synopsis}; got ${positionals.length === 0 ? 'none' : list(positionals)}`,
    );
  }
  return { verb, arguments: positionals, options: values as CommandLine['options'] };
}

async function didYouMean(text: string, candidates: readonly string[], lead = ''): Promise<string> {
  const { nearest } = await import('../model/problems.ts');
  const near = nearest(text, candidates);
  return near === undefined ? '' : ` Did you mean "${lead}${near}"?`;
}

function list(words: readonly string[]): string {
  return words.join(', ');
}
