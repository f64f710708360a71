import type { z } from 'zod';
import type { Wanted } from '../../record/gather/add-component.ts';
import { componentNameOf, type Given } from '../../record/gather/draft-definition.ts';
import { whyNoComponentName } from '../../core/schemas/component-name.ts';
import { HttpsUrl } from '../../core/schemas/links.ts';
import { describeProblems, didYouMean } from '../../core/schemas/problems.ts';
import { lineOf } from '../../core/schemas/scalars.ts';
import { packageSources, Source } from '../../record/sources/index.ts';
import { defined } from '../../core/text.ts';
import { UsageError, type Invocation } from './command.ts';

/** The options that stand for what a registry may not state. */
export const givenOptions: Readonly<Record<keyof Given, string>> = {
  title: '--title TEXT',
  homepage: '--homepage URL',
  changelogUrl: '--changelog URL',
};

/** How the keys of a source are written on the command line. */
const argumentOf: Readonly<Record<string, string>> = {
  packageName: '<package>',
  registryUrl: '--registry-url',
};

/** What is to be added. Throws a UsageError with all that is wrong, or with what there is to add where too little is said. */
export function readAddRequest({ arguments: args, options }: Invocation): Wanted {
  const [datasource, packageName] = args;
  const known = packageSources.find((one) => one.datasource === datasource);
  if (!known || packageName === undefined) throw new UsageError(...whatIsNeeded(datasource));

  const wrong: string[] = [];
  const value = (name: string) => options[name] as string | undefined;
  const check = <T>(name: string, input: unknown, schema: z.ZodType<T>): T | undefined => {
    const parsed = schema.safeParse(input);
    if (parsed.success) return parsed.data;
    for (const problem of describeProblems(parsed.error, input, schema)) {
      const [, key = '', rest] = /^(?:(packageName|registryUrl): )?(.*)$/.exec(problem)!;
      wrong.push(`${argumentOf[key] ?? name}: ${rest}`);
    }
    return undefined;
  };
  const registryUrl = value('registry-url');
  if (known.needsRegistry && registryUrl === undefined)
    throw new UsageError(`--registry-url: ${datasource} has no usual registry; give the address of this one`);
  const source = check('source', defined({ datasource, packageName, registryUrl }), Source);
  const given = defined({
    title: check('--title', value('title'), lineOf(200).optional()),
    homepage: check('--homepage', value('homepage'), HttpsUrl.optional()),
    changelogUrl: check('--changelog', value('changelog'), HttpsUrl.optional()),
  });
  const name = value('name') ?? componentNameOf(packageName);
  const whyNot = name === undefined ? `none can be made of "${packageName}"` : whyNoComponentName(name);
  if (whyNot !== undefined) wrong.push(`--name: ${whyNot}`);
  if (wrong.length > 0 || !source || name === undefined) throw new UsageError(...wrong);
  return { name, source, given };
}

function whatIsNeeded(datasource: string | undefined): string[] {
  const names = packageSources.map((known) => known.datasource);
  const known = packageSources.find((one) => one.datasource === datasource);
  if (known) {
    const registry = known.needsRegistry ? ' --registry-url URL' : '';
    return [`add ${datasource} needs the name of a package: add ${datasource} ${known.example}${registry}`];
  }
  const refused =
    datasource === undefined
      ? 'add takes <datasource> <package>; got none.'
      : `"${datasource}" is no datasource of packages.${didYouMean(datasource, names)}`;
  return [
    `${refused} There are:`,
    ...packageSources.map((one) => {
      const registry = one.needsRegistry ? ' --registry-url URL' : '';
      return `  add ${one.datasource} ${one.example}${registry}`;
    }),
    'Releases that no package has (a page, a list of your own) are defined by hand: components/<component>.json.',
  ];
}
