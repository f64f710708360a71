import { InputError } from '../../core/schemas/finding.ts';
import { loadComponent, loadComponents } from '../../site/load-component.ts';
import { detailsOf } from '../../decide/details.ts';
import { explainComponent, explainPublished, explainVersion } from '../explanation.ts';
import { resolve, resolveAmong, UnknownNameError } from '../../ask/resolve.ts';
import { answerPublished, answerVersion, newestVersion } from '../../ask/version-answer.ts';
import { defined } from '../../core/text.ts';
import { packagesOf } from '../../site/render/packages.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { detailsOn, type DetailsOn } from '../../ask/details-on.ts';
import type { Component } from '../../decide/component.ts';
import { listComponents } from '../../io/files/root.ts';
import { index, inputError, shared, siteUrlOf, UsageError } from '../command.ts';
import type { Command, Invocation } from '../command.ts';
import { askPublished } from '../open-index.ts';

export const command: Command = {
  arguments: { required: ['component'], optional: ['version'] },
  options: { index, ...shared('root', 'as-of') },
  details: [
    'Whether it is supported, until when, and what to move to; then order, release line, policy, timestamps and their sources.',
    'A component is a name, a title, a package or a package URL; svc@2025.1 and "is svc 2025.1 supported?" name both. A version',
    'may be a release line, or the first numbers of several. A published index knows less of its sources.',
  ],
  examples: [
    ['explain svc', 'all of its release lines'],
    ['explain svc 2025.3', 'one version'],
    ['explain svc@2025.3 --index https://releases.example.com', 'the same, from a published index'],
  ],
  run,
};

async function run(invocation: Invocation): Promise<number> {
  const { options, root, day, arguments: words, report } = invocation;
  const url = siteUrlOf('--index', options['index']);
  if (url !== undefined) {
    const { details, answer } = await askPublished(invocation, url, async (published) => {
      const { details, version } = await resolve(published, words.join(' '));
      const answer = version === undefined ? undefined : await answerPublished(published, details, version);
      return { details, answer };
    }).catch(rethrowUnknown);
    return reportAnswer(invocation, details, answer, answer !== undefined, explainPublished(details, answer));
  }
  const { name, version } = await nameIn(invocation);
  const { component, findings } = loadComponent(root, name, day);
  if (!component) throw new InputError(findings);
  report.finding(...findings);
  const details = detailsOn(detailsOf(component), day);
  const asked = version ?? newestVersion(details);
  const latestOfReplacement = component.replacement?.version;
  const question = asked === undefined ? undefined : { version: asked, latestOfReplacement };
  const answer = question && answerVersion(details, question);
  if (answer && !answer.isListed) checkAdmitted(answer, component);
  const isOfVersion = version !== undefined;
  const lines =
    isOfVersion && answer ? explainVersion(component, details, answer) : explainComponent(component, details);
  return reportAnswer(invocation, details, answer, isOfVersion, lines);
}

function reportAnswer(
  { day, report }: Invocation,
  { component, latest, nextChangeOn, releases }: DetailsOn,
  answer: VersionAnswer | undefined,
  isOfVersion: boolean,
  lines: readonly string[],
): number {
  report.print(...lines);
  const release = releases.find(({ version }) => version === answer?.version);
  const found = defined(isOfVersion ? { release, answer } : { answer, releases });
  report.document({ verb: 'explain', component, asOf: day, latest: latest?.version, nextChangeOn, ...found });
  return 0;
}

/** The component and the version that the words of the command line name. All definitions are read only where the first is no name. */
async function nameIn({
  root,
  day,
  arguments: words,
}: Invocation): Promise<{ name: string; version?: string }> {
  const { names } = listComponents(root);
  const [first = '', version, more] = words;
  if (names.includes(first) && more === undefined) return defined({ name: first, version });
  const { components } = loadComponents(root, day);
  const named = components.map(({ name, definition: { title, aliases } }) => ({ name, title, aliases }));
  const packages = () => packagesOf(components.map(({ name, definition }) => [name, definition]));
  return resolveAmong(words.join(' '), named, packages).catch(rethrowUnknown);
}

function rethrowUnknown(error: unknown): never {
  throw error instanceof UnknownNameError ? new UsageError(error.message) : error;
}

function checkAdmitted({ component, version }: VersionAnswer, { unadmitted }: Component): void {
  if (!unadmitted.some((left) => left.version === version)) return;
  const files = `is recorded in data/${component}.json, but components/${component}.json does not admit it`;
  const why = 'no source accepts it (allowedVersions, prereleases). The site omits it.';
  throw inputError(component, `${version} ${files}: ${why}`);
}
