/** `mine.html`: a list or a bill of materials becomes verdicts, what is due first on top. Nothing leaves the browser. */
import { describeObstacle } from '../../core/index/verdicts.ts';
import { describeList, isDue, sortEntries, type JudgedList } from '../../core/judged-list.ts';
import { readList } from '../../core/read-list.ts';
import type { Verdict } from '../../core/schema/documents.ts';
import { decodeText } from '../../core/text.ts';
import { decodeAnchor } from '../../core/words.ts';
import {
  beginQuestion,
  createElement,
  createLink,
  findAddress,
  findEntries,
  loadNames,
} from './find.ts';

/** More would make an address that nobody can send. */
const maxOthers = 200;

const input = document.querySelector('textarea')!;
const place = document.getElementById('answer')!;

export function setUpList(form: HTMLFormElement): void {
  const file = form.querySelector<HTMLInputElement>('[type=file]')!;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void show(input.value);
  });
  file.addEventListener('change', async () => {
    const [chosen] = file.files ?? [];
    if (chosen) {
      input.value = decodeText(new Uint8Array(await chosen.arrayBuffer()));
      await show(input.value);
    }
  });
  addEventListener('hashchange', showAddress);
  void showAddress();
}

/** Shows the list of an address such as `#c=svc@2025.1,edge-node@1.0`. */
async function showAddress(): Promise<void> {
  const [, list] = /^#c=(.+)/.exec(location.hash) ?? [];
  if (list !== undefined) {
    // An `@` at the beginning is of a scope.
    const entries = list.split(',').map((entry) => decodeAnchor(entry.replace(/(?!^)@/, ' ')));
    input.value = entries.join('\n');
    // What is below the verdicts moves while nobody sees it.
    document.body.classList.add('is-asking');
    await show(input.value);
    place.scrollIntoView();
    document.body.classList.remove('is-asking');
  }
}

async function show(content: string): Promise<void> {
  const isLast = beginQuestion();
  try {
    const names = await loadNames();
    const { items, problems } = readList(content, names);
    const entries = await findEntries(items, names);
    if (!isLast()) {
      return;
    }

    const notRead = problems.map(({ message }) => message);
    const list = sortEntries(entries, notRead);
    draw(list);
    const unread = problems.map(({ entry }) => entry);
    history.replaceState(null, '', `#c=${writeList(list, unread)}`);
  } catch (error) {
    if (isLast()) {
      place.textContent = (error as Error).message;
    }
  }
}

/** For a link: the whole list, also lines that could not be read; of a long one, what is of this index. */
function writeList(list: JudgedList, unread: readonly string[]): string {
  const { judged, unjudged, unversioned, others } = list;
  const matched = [...judged, ...unjudged];
  const own = matched.map(({ match }) => `${match.component}@${encodeURIComponent(match.version)}`);
  const rest = [...[...unversioned, ...others].map(({ item }) => item.text), ...unread];
  const kept = rest.length > maxOthers ? own : [...own, ...rest.map(encodeURIComponent)];
  return kept.join(',');
}

function draw(list: JudgedList): void {
  const remark = createElement('p', describeList(list), 'note');
  if (list.notRead.length > 0) {
    remark.append(' ', createLink('use.html#lists', 'Commands for your tool'));
  }
  const rows = createElement('ul', '', 'rows');
  rows.append(...[...list.judged, ...list.unjudged].map(drawResult));
  place.replaceChildren(createElement('h2', countDue(list)), remark, rows);
}

/** `3 of 5 need action, 2 not judged`. */
function countDue({ judged, total, gaps }: JudgedList): string {
  const { length } = judged;
  if (length === 0) {
    return 'Nothing was judged';
  }

  const due = judged.filter(({ match }) => isDue(match.verdict)).length;
  const verb = due === 1 ? 'needs' : 'need';
  const calm = gaps.length === 0 ? 'Nothing is due' : 'Nothing that was judged is due';
  const action = due === 0 ? calm : `${due} of ${length} ${verb} action`;
  return total > length ? `${action}, ${total - length} not judged` : action;
}

function drawResult(entry: JudgedList['unjudged'][number]): HTMLElement {
  const { component, title, version, verdict } = entry.match;
  const words = verdict ? `${verdict.sentence} ${verdict.advice}` : describeObstacle(entry);
  const name = createElement('span');
  name.append(createLink(findAddress(component, version), `${title} ${version}`.trim()));
  const row = createElement('li', '', `tone-${findTone(verdict)}`);
  row.append(
    name,
    createElement('span', verdict?.label ?? 'No verdict', 'status side'),
    createElement('p', words, 'verdict'),
    createElement('p', verdict?.because.join(' '), 'note'),
  );
  return row;
}

function findTone(verdict?: Verdict): string {
  if (isDue(verdict)) {
    return verdict?.moveBy ? 'soon' : 'gone';
  }

  return verdict?.isSupported ? 'ok' : 'none';
}
