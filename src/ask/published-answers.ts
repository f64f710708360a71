import type { Day } from '../core/dates.ts';
import type { VersionAnswer } from '../core/schemas/published/answer-schemas.ts';
import type { DetailsFile } from '../core/schemas/published/details-file.ts';
import type { StatusFile } from '../core/schemas/published/status-file.ts';
import { didYouMean } from '../core/nearest.ts';
import { counted, quote, sentence } from '../core/text.ts';
import type { PublishedComing, PublishedIndex } from './published-index.ts';
import { answerVersion, type Asked } from './version-answer.ts';

/** What will happen to a line or a release of a component, although nothing is released. */
export interface ComingOfComponent extends PublishedComing {
  readonly component: string;
  readonly title: string;
}

/** What is known of a version, from the details of its component. */
export async function answerPublished(
  index: PublishedIndex,
  details: DetailsFile,
  version: string,
): Promise<VersionAnswer> {
  return answerVersion(details, askedOf(await index.status(), details, version));
}

/** A question about a version as of the day of an index. */
export function askedOf(
  { asOf, components }: StatusFile,
  { replacedBy = '' }: DetailsFile,
  version: string,
  target?: string,
): Asked {
  return { version, asOf, latestOfReplacement: components[replacedBy]?.latest, target };
}

/** What will come until the end of a day, soonest first; that of a day by component. */
export async function comingUntil(index: PublishedIndex, until: Day): Promise<ComingOfComponent[]> {
  const all = Array.from(await index.searched()).flatMap(([component, { title, coming = [] }]) =>
    coming.map((change) => ({ ...change, component, title })),
  );
  return all.filter(({ on }) => on <= until).sort((a, b) => (a.on < b.on ? -1 : Number(a.on > b.on)));
}

/** Without its day. */
export function comingSentence({ component, line, version, event, reason }: ComingOfComponent): string {
  const what = `${component} ${line ?? version} ${event}`;
  return reason === undefined ? `${what}.` : `${what}: ${sentence(reason)}`;
}

/** That there is no such component, with the one that was probably meant. */
export async function unknownComponent(index: PublishedIndex, name: string): Promise<string> {
  const names = Object.keys((await index.status()).components);
  return `There is no component ${quote(name)}.${didYouMean(name, names)} The index has ${counted(names.length, 'component')}.`;
}
