import { foundInWords } from '../../ask/found.ts';
import { versionText } from '../../ask/version-answer.ts';
import { createSelection, rowOf } from '../../core/query/catalogue.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { calmly, find, findAll, make, makeButton, on } from './dom.ts';
import { failure, readCatalogue, readStatus, sayOf } from './fetched-index.ts';
import { foundTable, releaseAddress } from './found-table.ts';
import { readQuestion, type Named } from './question.ts';

const maxChoices = 10;

interface Listed extends Named {
  readonly row: HTMLElement;
}

/** The box above the components: it finds them, tells the verdict on a version, and answers queries. */
export function setUpAsking(form: HTMLFormElement): void {
  const input = find<HTMLInputElement>('input', form);
  const status = find('#ask-answer');
  const results = find('#ask-results');
  const groups = findAll('#component-table tbody');
  const components = findAll('tr[data-component]').map((row): Listed => {
    const name = row.dataset['component']!;
    const title = find('th a', row).textContent;
    return { row, name, title, words: `${name} ${title} ${row.dataset['description']}` };
  });
  const question = () => readQuestion(input.value.trim(), components);

  /** What cannot be told from the list alone. */
  const answer = calmly(async () => {
    const text = input.value;
    const tell = await answered(text).catch((error: unknown) => () => {
      show(components);
      say(failure(error));
    });
    if (input.value === text) tell?.();
  });

  form.hidden = false;
  on(input, 'input', ask);
  on(input, 'keydown', ({ key }) => {
    if (key === 'Escape') askFor('');
  });
  on(form, 'submit', (event) => {
    event.preventDefault();
    const { named, version, isQuery } = question();
    const [only, second] = named;
    if (!only || second || isQuery) return;
    location.assign(version ? releaseAddress(only.name, version) : `${only.name}.html`);
  });
  const asked = new URLSearchParams(location.search).get('q');
  if (asked) askFor(asked);

  function askFor(text: string): void {
    input.value = text;
    ask();
  }

  function ask(): void {
    const text = input.value.trim();
    const { named, version, isQuery } = question();
    history.replaceState(null, '', text ? addressOf(text) : location.pathname);
    show(named);
    if (version && named[1]) {
      const choices = named.slice(0, maxChoices).map(({ name }) => {
        const choice = `${name} ${version}`;
        return make('li', {}, make('a', { href: addressOf(choice) }, choice));
      });
      say('Which one?', make('ul', { className: 'chips' }, ...choices));
    } else if (!text || version || (isQuery && named[0])) say('');
    else
      say(named[0] ? `${named.length} of ${components.length} components match.` : 'No component matches.');
    answer();
  }

  /** How to tell the answer; undefined where the list tells it. */
  async function answered(text: string): Promise<(() => void) | undefined> {
    const { named, version, isQuery } = question();
    const [first, second] = named;
    if (version && first && !second) {
      const { name } = first;
      const found = await sayOf(name, version);
      const link = make('a', { href: releaseAddress(name, found.version) }, 'Why, and what comes after it');
      return () => say(versionText(found), link);
    }
    if (!isQuery || !text) return undefined;
    const { asOf } = await readStatus();
    const isSelected = createSelection(parseQuery(text, asOf), asOf);
    const found = (await readCatalogue()).filter(isSelected).map(rowOf);
    if (!found[0] && !first) return undefined;
    const names = new Set(found.map(({ component }) => component));
    return () => {
      show(components.filter(({ name }) => names.has(name)));
      say(`${foundInWords(found)} Verdicts of ${asOf}.`, ...foundTable(found));
    };
  }

  /** Shows these components and no others. */
  function show(shown: readonly Listed[]): void {
    for (const { row } of components) row.hidden = true;
    for (const { row } of shown) row.hidden = false;
    for (const group of groups) group.hidden = !find('[data-component]:not([hidden])', group);
  }

  function say(text: string, ...found: (Node | string)[]): void {
    status.textContent = text;
    results.replaceChildren(...found);
    if (groups.every(({ hidden }) => hidden))
      results.append(makeButton('', 'Show all components', () => askFor('')));
  }
}

/** Of the page that asks this. */
function addressOf(question: string): string {
  return `?q=${encodeURIComponent(question)}`;
}
