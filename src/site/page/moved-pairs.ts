import type { CompatibilityFile } from '../../core/schemas/published/compatibility-file.ts';
import { judgePair, listPartners } from '../../core/model/pair-answers.ts';
import type { DetailsOn } from '../../ask/answers/details-on.ts';
import { readDocumentText } from './site-documents.ts';
import type { ShownAnswer } from './host.ts';

/** What runs beside a component, before and after a move. */
export interface MovedPair {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly effect: string;
}

/** What a move changes for each component that states something about this one, or the reverse. Empty without a move. */
export async function movedPairs(
  answer: ShownAnswer,
  named: () => Promise<readonly { readonly name: string; readonly title: string }[]>,
): Promise<MovedPair[]> {
  if (answer.kind !== 'version' || !answer.details || !answer.judged) {
    return [];
  }

  const { details, judged } = answer;
  const { target, line } = judged;
  const partners = listPartners(details);
  if (!target || !line || partners.length === 0) {
    return [];
  }

  const { lines } = JSON.parse(await readDocumentText('compatibility.json')) as CompatibilityFile;
  const titles = await named();
  const byLine = lines[details.component] ?? {};
  const pairs: MovedPair[] = [];

  for (const name of partners) {
    const before = byLine[line.line]?.[name]?.greatest;
    const after = byLine[target.line]?.[name]?.greatest;
    const title = titles.find((each) => each.name === name)?.title ?? name;
    if (before !== undefined || after !== undefined) {
      const effect = describeEffect(details, target.version, name, before, after);
      pairs.push({ name: title, before: upTo(before), after: upTo(after), effect });
    }
  }

  return pairs;
}

function upTo(greatest: string | undefined): string {
  return greatest === undefined ? 'not stated' : `up to ${greatest}`;
}

function describeEffect(
  details: DetailsOn,
  version: string,
  component: string,
  before: string | undefined,
  after: string | undefined,
): string {
  if (before === undefined) {
    return `New: works with ${version}`;
  }

  switch (judgePair(details, version, { component, version: before }).answer) {
    case 'good':
      return 'Keeps working';
    case 'bad':
      return after === undefined ? `${before} does not work with it` : `Move to ${after}`;
    default:
      return `${before}: not stated`;
  }
}
