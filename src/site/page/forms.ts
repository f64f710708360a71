import { markup, readAnchor } from '../render/html/markup.ts';
import type * as Answers from './answers.ts';
import type { Box } from './box.ts';
import { find, findAll, keepPlace, makeElement, makeMarkup, on } from './dom.ts';
import type * as Plans from './plan/plan-page.ts';
import { describeFailure, loadScript, readDocumentText, toUrl } from './site-index.ts';

/**
 * Makes the forms for questions answer on the same page. The script that answers is loaded with the first question. If that
 * fails, the form opens the start page.
 */
export function setUpAsking(component: string | undefined): void {
  const forms = findAll<HTMLFormElement>('.question form, .finder, #mine');

  addPlace();

  const load = (form: HTMLFormElement) => loadBox(form, form.id === 'mine' ? component : undefined);

  for (const form of forms) {
    form.hidden = false;
    form.append(makeMarkup(markup`<output></output>`));

    const input = find<HTMLInputElement>('input', form);
    input.role = 'combobox';
    input.ariaExpanded = 'false';
    input.ariaAutoComplete = 'list';
    on(input, 'focus', () => {
      // Load the documents together with the script that reads them.
      readDocumentText('status.json').catch(() => {});
      void load(form);
    });

    on(form, 'submit', async (event) => {
      event.preventDefault();

      if (input.value.trim() !== '') {
        keepPlace();
      }

      await (await load(form))?.ask();
    });
  }

  const [first] = forms;
  if (!first) {
    return;
  }

  const versionForm = find<HTMLFormElement>('#mine');

  /** Answers the question of the address. Returns whether it has one. */
  const openAddress = async () => {
    const text = readQuestion(location) ?? (versionForm ? readQuestionOfRow() : readMissingPath());
    const form = versionForm && /^v?\d/i.test(text ?? '') ? versionForm : first;
    if (text !== undefined) {
      keepPlace();
      await (await load(form))?.answer(text);
    }
    return text !== undefined;
  };

  addEventListener('popstate', async () => {
    if (await openAddress()) {
      return;
    }

    for (const form of forms) {
      (await load(form))?.clear();
    }
  });

  on(document, 'click', async (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="?q="]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }

    event.preventDefault();
    keepPlace();
    await (await load(first))?.ask(readQuestion(link));
  });

  void openAddress();
}

/** The script that answers questions: most visitors ask nothing. */
export function loadAnswers(): Promise<typeof Answers> {
  return loadScript('./ask.js');
}

/** The box of a form; undefined after a failure, which the form then says. */
async function loadBox(
  form: HTMLFormElement,
  component: string | undefined,
): Promise<Box | undefined> {
  const output = find('output', form);
  output.textContent = '';
  try {
    const { createBox } = await loadAnswers();
    return createBox(form, component);
  } catch (error) {
    output.append(describeFailure(error as Error));
    find('.place').replaceChildren();
    return undefined;
  }
}

/** Makes the place of answers: below the box of the start page and of a component, otherwise at the top of the page. */
function addPlace(): void {
  const container = makeElement(markup`<div class="place"></div>`);
  const [section] = findAll('.question, .hero');
  if (section) {
    section.after(container);
  } else {
    find('main').prepend(container);
  }
}

function readQuestion({ search }: Location | HTMLAnchorElement): string | undefined {
  return new URLSearchParams(search).get('q') || undefined;
}

/** The words of an address at which there is no page: `/svc/2025.1` asks for `svc 2025.1`. */
function readMissingPath(): string | undefined {
  const path = location.pathname.slice(toUrl('').pathname.length);
  if (find('main').dataset['missing'] === undefined || path === '404.html') {
    return undefined;
  }

  // Unlike `decodeURIComponent`, this reads any address.
  const words = new URLSearchParams(`q=${path.replace(/\.[a-z]+$/, '')}`).get('q');
  return words?.replaceAll('/', ' ').trim() || undefined;
}

/** The version in an address `#v2025.1`, unless the page has a place for it. */
function readQuestionOfRow(): string | undefined {
  const { hash } = location;
  const isShown = document.getElementById(hash.slice(1)) !== null;
  return isShown || !/^#vv?\d/i.test(hash) ? undefined : readAnchor(hash.slice(1));
}

/** The form of the page My versions. Loads the script that answers with the first list. */
export function setUpList(form: HTMLFormElement): void {
  form.hidden = false;

  const text = find<HTMLTextAreaElement>('#list-text');
  const file = find<HTMLInputElement>('#list-input');

  const load = async (work: (plans: typeof Plans) => Promise<void>) => {
    // Load the document together with the script that reads it.
    readDocumentText('status.json').catch(() => {});
    keepPlace();
    hidePage(true);

    try {
      await work(await loadScript<typeof Plans>('./plan.js'));
    } catch (error) {
      find('#plan-read').textContent = describeFailure(error as Error);
    }

    hidePage(false);
    find('.place').replaceChildren();
  };

  const show = async (content: string) => {
    await load((plans) => plans.showText(content));
    find('h1').focus();
  };

  const read = async (upload: File | undefined) => {
    if (!upload) {
      return;
    }

    text.value = await upload.text();
    await show(text.value);
  };

  on(form, 'submit', (event) => {
    event.preventDefault();
    void show(text.value);
  });

  on(find('#list-file'), 'click', () => file.click());
  on(file, 'change', () => void read(file.files?.[0]));
  on(form, 'dragover', (event) => event.preventDefault());

  on(form, 'drop', (event) => {
    event.preventDefault();
    void read((event as DragEvent).dataTransfer?.files[0]);
  });

  const openAddress = async () => {
    const [, list] = /^#c=(.+)/.exec(location.hash) ?? [];
    if (list !== undefined) {
      await load((plans) => plans.showAddress(list));
    }
  };

  addEventListener('hashchange', () => void openAddress());
  void openAddress();
}

/** Hides the page while the place of a plan is kept: a plan moves all of it. */
function hidePage(isHidden: boolean): void {
  for (const part of findAll('main > :not(.place)')) {
    part.hidden = isHidden;
  }
}
