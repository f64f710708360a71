import { flag, sharedOptions, type Option } from './command.ts';
import { commands, loadCommand, verbsOf } from './commands.ts';

export const commonOptions: Readonly<Record<string, Option>> = {
  json: flag('a machine-readable report on standard output'),
  help: flag('this text'),
};

export function overview(): string {
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
    ...optionLines(sharedOptions),
    '',
    'options everywhere:',
    ...optionLines(commonOptions),
    ...optionLines({ version: flag('instead of a verb: the version of the program') }),
    '',
    'A first look: npx release-index start, then npx release-index preview',
    'More on a verb: npx release-index <verb> --help',
    'Exit status: 0 done, 1 wrong input, a broken rule or nothing could be done, 2 the command line is wrong.',
    '',
  ].join('\n');
}

/** Of a verb, or of all that begin with a word. */
export async function helpFor(verb: string): Promise<string> {
  const group = verbsOf(verb);
  if (group.length > 0) return (await Promise.all(group.map(helpFor))).join('\n');
  const { arguments: usage, options, details, examples } = await loadCommand(verb);
  const width = Math.max(...examples.map(([command]) => command.length)) + 3;
  return [
    `${verb}: ${commands[verb]}`,
    '',
    `usage: npx release-index ${verb} ${usage === undefined ? '' : `${usage} `}[options]`,
    '',
    ...details,
    '',
    'options:',
    ...optionLines({ ...options, ...commonOptions }),
    '',
    'examples:',
    ...examples.map(([command, meaning]) => `  ${command.padEnd(width)}${meaning}`),
    '',
  ].join('\n');
}

function optionLines(options: Readonly<Record<string, Option>>): string[] {
  const forms = Object.entries(options).map(([name, { value, summary }]) => {
    return { form: value === undefined ? `--${name}` : `--${name} ${value}`, summary };
  });
  const width = Math.max(22, ...forms.map(({ form }) => form.length + 2));
  return forms.map(({ form, summary }) => `  ${form.padEnd(width)}${summary}`);
}
