import { readReleaseAnchor } from '../render/html/anchors.ts';
import { markup } from '../render/html/markup.ts';
import type * as Answers from './answers.ts';
import type { Box } from './box.ts';
import { find, findAll, ignoreFailure, keepPlace, makeElement, makeMarkup, on } from './dom.ts';
import { loadScript } from './load-script.ts';
import type * as Plans from './plan/plan-page.ts';
import { describeFailure, readDocumentText } from './site-index.ts';

// The forms of the pages, for a question and for a list of versions. Each loads the script that answers when a visitor needs it.

/**
 * Makes the forms for questions answer on the same page. The script that answers is loaded with the first question, or when a visitor
 * enters a field. If that fails, the form says so.
 */
export function setUpAsking(): void {
  addPlace();

  const forms = findAll<HTMLFormElement>('.question form, .finder, #mine').map(setUpForm);
  const [siteForm] = forms;
  if (!siteForm) {
    return;
  }

  const versionForm = forms.find(({ form }) => form.id === 'mine');
  const answerAddress = async () => {
    const question = readQuestion(location) ?? (versionForm && readQuestionOfRow());
    // A link to a part of the page changes the address, but not the question.
    if (question === find('.place').dataset['question']) {
      return;
    }
    if (question === undefined) {
      for (const { load } of forms) {
        (await load())?.clear();
      }
      return;
    }

    keepPlace();
    const { load } = versionForm && /^v?\d/i.test(question) ? versionForm : siteForm;
    await (await load())?.show(question);
  };
  addEventListener('popstate', answerAddress);
  on(document, 'click', (event) => void askLinked(event, siteForm));
  void answerAddress();
}

/** A form for questions, with the function that loads its box. */
function setUpForm(form: HTMLFormElement) {
  const load = () => loadBox(form);
  form.hidden = false;
  form.append(makeMarkup(markup`<output></output>`));

  const input = find<HTMLInputElement>('input', form);
  input.role = 'combobox';
  input.ariaExpanded = 'false';
  input.ariaAutoComplete = 'list';
  on(input, 'focus', () => {
    // Load the documents together with the script that reads them.
    ignoreFailure(readDocumentText('status.json'));
    void load();
  });
  on(form, 'submit', async (event) => {
    event.preventDefault();
    if (input.value.trim() !== '') {
      keepPlace();
    }
    await (await load())?.ask();
  });
  return { form, load };
}

/** Answers a link to a question on the same page, unless a key asks for another tab or window. */
async function askLinked(event: MouseEvent, { load }: ReturnType<typeof setUpForm>): Promise<void> {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="?q="]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) {
    return;
  }

  event.preventDefault();
  keepPlace();
  await (await load())?.ask(readQuestion(link));
}

/** The script with the answers, which most visits need not load. */
export function loadAnswers(): Promise<typeof Answers> {
  return loadScript('./ask.js');
}

/** The box of a form; undefined after a failure, which it shows. */
async function loadBox(form: HTMLFormElement): Promise<Box | undefined> {
  const output = find('output', form);
  output.textContent = '';
  try {
    const { openBox } = await loadAnswers();
    return openBox(form);
  } catch (error) {
    output.append(describeFailure(error as Error));
    find('.place').replaceChildren();
    return undefined;
  }
}

/** Makes the place of answers: below the box of the start page and of a component, otherwise at the top of the page. */
function addPlace(): void {
  const place = makeElement(markup`<div class="place"></div>`);
  const [question] = findAll('.question, .hero');
  if (question) {
    question.after(place);
  } else {
    find('main').prepend(place);
  }
}

function readQuestion({ search }: Location | HTMLAnchorElement): string | undefined {
  return new URLSearchParams(search).get('q') || undefined;
}

/** The version in an address `#v2025.1`, unless a row of the page has this id. */
function readQuestionOfRow(): string | undefined {
  const anchor = location.hash.slice(1);
  const isShown = document.getElementById(anchor) !== null;
  return isShown || !/^vv?\d/i.test(anchor) ? undefined : readReleaseAnchor(anchor);
}

/** Makes the form of the page My versions plan. The script that makes plans is loaded with the first list. */
export function setUpList(form: HTMLFormElement): void {
  const text = find<HTMLTextAreaElement>('#list-text');
  const fileInput = find<HTMLInputElement>('#list-input');
  form.hidden = false;
  on(form, 'submit', (event) => {
    event.preventDefault();
    void showText(text.value);
  });
  on(find('#list-file'), 'click', () => {
    // Otherwise, the same file is no change, even if it was edited since.
    fileInput.value = '';
    fileInput.click();
  });
  on(fileInput, 'change', () => void showFile(fileInput.files));
  // A dragged text goes into the field, as on every page.
  on(form, 'dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) {
      event.preventDefault();
    }
  });
  on(form, 'drop', (event) => {
    const files = event.dataTransfer?.files;
    if (files?.length) {
      event.preventDefault();
      void showFile(files);
    }
  });
  addEventListener('hashchange', () => void showAddress());
  void showAddress();
}

/** Shows the plan of the first file. A dropped folder cannot be read. */
async function showFile(files: FileList | null): Promise<void> {
  const [file, ...others] = files ?? [];
  if (!file) {
    return;
  }

  let content;
  try {
    content = await file.text();
  } catch (error) {
    find('#plan-read').textContent = `${file.name} cannot be read: ${(error as Error).message}`;
    return;
  }

  const note = others.length > 0 ? ` Only ${file.name} was taken, and no other file.` : '';
  await showText(content, note);
}

async function showText(content: string, note?: string): Promise<void> {
  await showPlan((plans) => plans.showText(content), note);
  find('h1').focus();
}

/** Shows the plan of a list in the address, `#c=…`. */
async function showAddress(): Promise<void> {
  const [, list] = /^#c=(.+)/.exec(location.hash) ?? [];
  if (list !== undefined) {
    await showPlan((plans) => plans.showAddress(list));
  }
}

/** Hides the page until `show` ends. It returns false if a later list took its place: the call for that list shows the page again. */
async function showPlan(show: (plans: typeof Plans) => Promise<boolean>, note = ''): Promise<void> {
  // Load the document together with the script that reads it.
  ignoreFailure(readDocumentText('status.json'));
  keepPlace();
  // A plan moves all of the page.
  setHidden(true);

  try {
    const plans = await loadScript<typeof Plans>('./plan.js');
    if (!(await show(plans))) {
      return;
    }
  } catch (error) {
    find('#plan-read').textContent = describeFailure(error as Error);
  }

  find('#plan-read').append(note);
  setHidden(false);
  find('.place').replaceChildren();
}

/** Hides or shows the page, other than the place of a plan. */
function setHidden(isHidden: boolean): void {
  for (const part of findAll('main > :not(.place)')) {
    part.hidden = isHidden;
  }
}
