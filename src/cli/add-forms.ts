import { didYouMean, isOneEdit } from '../core/text/wording.ts';
import { packageSources } from '../record/sources/index.ts';

/** A package to add, as the command line or a file names it. */
export interface ListedPackage {
  datasource: string;
  packageName: string;
  /** A registry other than that of the datasource. */
  registryUrl?: string | undefined;
}

/** Each datasource with an example of a command: of a package, a document of releases, or a list in a file. */
export function listForms() {
  const forms = packageSources.map(({ datasource, example, needsRegistry }) => {
    const registry = needsRegistry ? ' --registry-url URL' : '';
    return { datasource, form: `add ${datasource} ${example}${registry}` };
  });
  return [
    ...forms,
    { datasource: 'json', form: 'add json https://example.com/agent.json' },
    { datasource: 'static', form: 'add static releases.csv' },
  ];
}

/** Whether all words are products of endoflife.date: the first is neither a datasource nor a mistyped one. */
export function areProducts(words: readonly string[]): boolean {
  const [first = ''] = words;
  const isDatasource = listForms().some(
    ({ datasource }) => datasource === first || isOneEdit(first, datasource),
  );
  return words.length > 0 && !isDatasource && words.every((word) => /^\w[\w.+-]*$/.test(word));
}

/** The problem of a command without a known datasource or without a package, and the forms expected. */
export function describeMissing(datasource: string | undefined): string[] {
  const forms = listForms();
  const form = forms.find((candidate) => candidate.datasource === datasource);
  if (form) {
    return [`add ${datasource} needs a second argument: ${form.form}`];
  }

  const names = forms.map((candidate) => candidate.datasource);
  const problem =
    datasource === undefined
      ? 'add expects <datasource> <package>; got none.'
      : `"${datasource}" is not a datasource of packages.${didYouMean(datasource, names)}`;
  return [
    `${problem} Datasources:`,
    ...forms.map(({ form }) => `  ${form}`),
    '  add nodejs postgresql: products of endoflife.date',
    'Releases on a page of text are defined by hand: components/<component>.json.',
  ];
}

/** The command that adds a package under another name: the whole name of the package, or with the datasource. */
export function describeRenaming(entry: ListedPackage, name: string): string {
  const { datasource, packageName } = entry;
  const longName = packageName
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const isUsable = longName !== name && !['json', 'static'].includes(datasource);
  const newName = isUsable ? longName : `${name}-${datasource}`;
  return describeAdding(entry, newName);
}

/** The command that adds a package under a name, as a shell takes it. */
export function describeAdding(
  { datasource, packageName, registryUrl }: ListedPackage,
  name: string,
): string {
  const registry = registryUrl === undefined ? '' : ` --registry-url ${quoteForShell(registryUrl)}`;
  return `npx release-index add ${datasource} ${quoteForShell(packageName)}${registry} --name ${name}`;
}

/** The text as one word of a shell: `'it'\''s'`. A foreign list may name a package that would be another command. */
function quoteForShell(text: string): string {
  return /^[\w@./:%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
