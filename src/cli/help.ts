import { commandLine } from '../core/command-prefix.ts';
import { commonOptions, flag, sharedOptions, type Option } from './verb.ts';
import { groupOf, optionsOf, verbs } from './verbs.ts';

export function overview(): string {
  const width = Math.max(...Object.keys(verbs).map((name) => name.length)) + 2;
  const lines = Object.entries(verbs).map(([name, verb]) => `  ${name.padEnd(width)}${verb.summary}`);
  return [
    'release-index: a static index of the releases of many components, in the form Renovate reads.',
    '',
    `usage: ${commandLine('<verb> [arguments] [options]')}`,
    '',
    'verbs:',
    ...lines,
    '',
    'options of most verbs:',
    ...optionLines(sharedOptions),
    '',
    'options everywhere:',
    ...optionLines(commonOptions),
    ...optionLines({ version: flag('instead of a verb: the version of the program') }),
    '',
    `A first look: ${commandLine('start')}, then ${commandLine('preview')}`,
    `More on a verb: ${commandLine('<verb> --help')}`,
    'Exit status: 0 done, 1 wrong input, a broken rule or nothing could be done, 2 the command line is wrong.',
    '',
  ].join('\n');
}

/** Of a verb, or of all that begin with a word. */
export function helpFor(name: string): string {
  const group = groupOf(name);
  if (group.length > 0) return group.map(helpFor).join('\n');
  const { summary, synopsis, details, examples } = verbs[name]!;
  const width = Math.max(...examples.map(([command]) => command.length)) + 3;
  return [
    `${name}: ${summary}`,
    '',
    `usage: ${commandLine(name, ...(synopsis === undefined ? [] : [synopsis]), '[options]')}`,
    '',
    ...details,
    '',
    'options:',
    ...optionLines(optionsOf(name)),
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
