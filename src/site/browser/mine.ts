/** Judges the entries of a reader's list or SBOM, and shows the verdicts, the most urgent first. */
import {
  describeList,
  isDue,
  needsAction,
  sortEntries,
  type JudgedList,
} from '../../ask/judged-list.ts';
import { listOwners } from '../../ask/owners.ts';
import { describeDoubts, judgeUsual } from '../../ask/policy-result.ts';
import { readList } from '../../ask/read-list.ts';
import { describeObstacle, type Entry } from '../../ask/verdicts.ts';
import type { Status, Verdict } from '../../core/schema/documents.ts';
import {
  createElement,
  createLink,
  fetchDocument,
  findAddress,
  findEntries,
  type Answer,
} from './find.ts';

/**
 * The greatest number of entries in a link that are unknown or could not be read. If a list has more, the link leaves out all of them,
 * because the URL would be too long to send.
 */
const maxOthers = 200;

export async function answerList(text: string): Promise<Answer> {
  const status = await fetchDocument<Status>('status.json');
  const names = listOwners(status);
  const { items, ...unread } = readList(text, names);
  const list = sortEntries(await findEntries(items, names), unread);
  const lines = unread.problems.map(({ entry }) => entry);
  return { content: draw(list, status), address: `#c=${writeList(list, lines)}` };
}

/** Writes the list for a link. Entries that are unknown or could not be read are included only if there are at most `maxOthers` of them. */
function writeList(list: JudgedList, unread: readonly string[]): string {
  const { judged, unjudged, unversioned, others } = list;
  const matched = [...judged, ...unjudged];
  const own = matched.map(({ item, match }) =>
    // The verdict on a package of a distribution depends on its type, such as `pkg:deb`.
    match.verdict?.mayBePatched
      ? encodeURIComponent(item.text)
      : `${match.component}@${encodeURIComponent(match.version)}`,
  );
  const rest = [...[...unversioned, ...others].map(({ item }) => item.text), ...unread];
  const kept = rest.length > maxOthers ? own : [...own, ...rest.map(encodeURIComponent)];
  return kept.join(',');
}

function draw(list: JudgedList, { components }: Status): HTMLElement[] {
  const usual = judgeUsual(list.judged, components);
  const results = usual.flatMap((policy) => policy.results);
  const open = results.filter(({ result }) => result.outcome === 'cannot-tell');
  const uncertain = new Set<Entry>(open.map(({ entry }) => entry));
  const remark = createElement('p', describeList(list), 'note');
  if (list.notRead.length > 0 || list.fault !== undefined) {
    remark.append(' ', createLink('use.html#lists', 'Commands for your tool'));
  }
  const doubts = describeDoubts(usual).map((text) => createElement('p', text, 'note'));
  const rows = createElement('ul', '', 'rows');
  rows.append(
    ...list.judged.map((entry) => drawResult(entry, uncertain.has(entry))),
    ...list.unjudged.map((entry) => drawResult(entry, true)),
    ...drawOthers(list),
  );
  return [createElement('h2', countDue(list, uncertain)), remark, ...doubts, rows];
}

/** Counts the verdicts of a list: `3 of 5 need action, 1 uncertain, 2 not judged`. */
function countDue({ judged, total, gaps }: JudgedList, uncertain: ReadonlySet<Entry>): string {
  const { length } = judged;
  if (length === 0) {
    return 'Nothing was judged';
  }

  const due = judged.filter(({ match }) => needsAction(match.verdict)).length;
  const unsure = judged.filter(
    (entry) => uncertain.has(entry) && !needsAction(entry.match.verdict),
  ).length;
  const isCalm = gaps.length === 0 && unsure === 0;
  const calm = isCalm ? 'No action is needed' : 'No judged entry needs action';
  const verb = due === 1 ? 'needs' : 'need';
  const parts = [
    due === 0 ? calm : `${due} of ${length} ${verb} action`,
    unsure > 0 && `${unsure} uncertain`,
    total > length && `${total - length} not judged`,
  ];
  return parts.filter(Boolean).join(', ');
}

function drawResult(entry: JudgedList['unjudged'][number], isUncertain: boolean): HTMLElement {
  const { component, title, version, verdict } = entry.match;
  const words = verdict ? `${verdict.sentence} ${verdict.advice}` : describeObstacle(entry);
  const name = createElement('span');
  name.append(createLink(findAddress(component, version), `${title} ${version}`.trim()));
  const row = createElement('li', '', `tone-${findTone(verdict, isUncertain)}`);
  row.append(
    name,
    createElement('span', verdict?.label ?? 'No verdict', 'status side'),
    createElement('p', words, 'verdict'),
    createElement('p', verdict?.because.join(' '), 'note'),
  );
  return row;
}

/** Draws a row for each entry that is not in this index, and for each line that was not read. */
function drawOthers({ unversioned, others, notRead }: JudgedList): HTMLElement[] {
  const rows = [
    ...unversioned.map((entry) => [entry.item.text, 'No verdict', describeObstacle(entry)]),
    ...others.map(({ item }) => [
      item.text,
      'Not in this index',
      'No component has this name. Look for another name on the page of components.',
    ]),
    ...notRead.map((line) => [
      line,
      'Not read',
      'Write a name and a version, as in name 1.2.3, or an image, as in name:1.2.',
    ]),
  ];
  return rows.map(([text, state, reason]) => {
    const row = createElement('li', '', 'tone-none');
    row.append(createElement('span', text), createElement('span', state, 'status side'));
    if (reason) {
      row.append(createElement('p', reason, 'verdict'));
    }
    return row;
  });
}

/** Returns the tone (colour) of a verdict. An uncertain verdict is not green. */
function findTone(verdict: Verdict | undefined, isUncertain: boolean): string {
  if (isDue(verdict)) {
    return verdict?.moveBy ? 'soon' : 'gone';
  }
  if (needsAction(verdict)) {
    return 'soon';
  }

  return verdict?.isSupported && !isUncertain ? 'ok' : 'none';
}
