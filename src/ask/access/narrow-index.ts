import type { PublishedNamedPolicy } from '../../core/schemas/published/small-files.ts';
import type { Catalogue } from '../../core/query/catalogue.ts';
import { namedIn, createMemory, type PublishedIndex } from '../published-index.ts';
import type { WorksWith } from '../../core/schemas/works-with.ts';
import type { Run } from '../../core/schemas/journal.ts';
import { defined } from '../../core/text.ts';
import { entriesFrom } from '../recorded-years.ts';
import { resolveExact, UnknownNameError } from '../resolve.ts';
import { subjectOf, type AccessSubject } from './subject.ts';

/** An index without hidden components. Its answers do not mention them. */
export interface NarrowedIndex extends PublishedIndex {
  /** Whether all components of a subject are visible. */
  shows(subject: AccessSubject): Promise<boolean>;
}

interface Names {
  /** Present and former names. */
  readonly visible: ReadonlySet<string>;
  /** Names, titles and aliases. */
  readonly hidden: readonly string[];
}

/** Keeps the components that are in each of the lists. `read`: a published file as text; `seesRuns`: keeps the runs, too. */
export function narrowIndex(
  index: PublishedIndex,
  lists: readonly (readonly string[])[],
  read: (path: string) => Promise<string | undefined>,
  seesRuns = false,
): NarrowedIndex {
  const { once } = createMemory();
  // Searches cache by the catalogue object, so return the same object each time.
  const catalogues = new WeakMap<Catalogue, Catalogue>();

  const names = () =>
    once('names', async (): Promise<Names> => {
      const { components } = await index.status();
      const current = new Map(Object.keys(components).map((name) => [name, name]));
      for (const path of (await index.digests()).keys()) {
        const name = /^details\/(.+)\.json$/.exec(path)?.[1];
        if (name === undefined || current.has(name)) {
          continue;
        }
        const details = await index.details(name);
        if (details) {
          current.set(name, details.component);
        }
      }
      const shown = lists.map((list) => new Set(list.map((name) => current.get(name))));
      const isVisible = (name: string) => shown.every((list) => list.has(current.get(name)));
      const { visible = [], hidden = [] } = Object.groupBy(current.keys(), (name) =>
        isVisible(name) ? 'visible' : 'hidden',
      );
      const called = hidden.flatMap((name) => {
        const { title = name, aliases = [] } = components[name] ?? {};
        return [name, title, ...aliases];
      });
      return { visible: new Set(visible), hidden: called };
    });

  const isVisible = async (name: string) => (await names()).visible.has(name);

  async function ofVisible<Value>(all: Iterable<readonly [string, Value]>) {
    const { visible } = await names();
    return Array.from(all).filter(([name]) => visible.has(name));
  }

  /** The components that its documents name: replacements, former replacements, and components that it works with. */
  async function namedBy(component: string): Promise<string[]> {
    const { replacedBy, worksWith = {}, statedBy = {} } = (await index.details(component)) ?? {};
    const found = [replacedBy, ...Object.keys(worksWith), ...Object.keys(statedBy)];
    for await (const change of entriesFrom(index.recordedChanges, 0)) {
      if (change.component === component) {
        found.push(...(change.type === 'replaced' ? [change.from, change.to] : []));
      }
    }
    return found.filter((name) => name !== undefined);
  }

  const narrowed: PublishedIndex = {
    ...index,
    /** Without the runs, which are about all components. */
    status: () =>
      once('status', async () => {
        const { components, runs: _runs, delay: _delay, ...status } = await index.status();
        return {
          ...status,
          components: Object.fromEntries(await ofVisible(Object.entries(components))),
        };
      }),
    named: async () => namedIn(await narrowed.status()),
    async details(component) {
      const found = (await isVisible(component)) ? await index.details(component) : undefined;
      const details = found && withoutHidden(found, (await names()).visible);
      if (details?.replacedBy === undefined || (await isVisible(details.replacedBy))) {
        return details;
      }
      // `ends` may name the replacement, too.
      const { replacedBy: _replacedBy, ends: _ends, ...others } = details;
      return others;
    },
    searched: async () => {
      const { visible } = await names();
      const shown = await ofVisible(await index.searched());
      return new Map(shown.map(([name, component]) => [name, withoutHidden(component, visible)]));
    },
    async catalogue(component) {
      const { visible } = await names();
      const all = await index.catalogue(component);
      const shown =
        catalogues.get(all) ??
        all
          .filter(({ shared }) => visible.has(shared.component as string))
          .map((release) => {
            const { statements } = release;
            return statements
              ? { ...release, statements: withoutHidden(statements, visible) }
              : release;
          });
      catalogues.set(all, shown);
      return shown;
    },
    digests: () =>
      once('digests', async () => {
        const { visible } = await names();
        const isShown = (subject: AccessSubject) =>
          subject.kind === 'any' || (subject.kind === 'file' && visible.has(subject.component));
        return new Map(
          Array.from(await index.digests()).filter(([path]) => isShown(subjectOf(`/${path}`))),
        );
      }),
    packages: () =>
      once('packages', async () => {
        const { visible } = await names();
        const shown = Array.from(
          await index.packages(),
          ([url, owners]) => [url, owners.filter((owner) => visible.has(owner.component))] as const,
        );
        return new Map(shown.filter(([, owners]) => owners.length > 0));
      }),
    policies: async () => {
      const { hidden } = await names();
      return (await index.policies()).filter(
        (policy) => policy.isBuiltIn || !isAboutOneOf(policy, hidden),
      );
    },
    statements: async (component) =>
      (await isVisible(component)) ? index.statements(component) : [],
    recordedChanges: {
      ...index.recordedChanges,
      async of(year) {
        const { visible } = await names();
        const isShown = (name: string | undefined) => name === undefined || visible.has(name);
        return (await index.recordedChanges.of(year)).filter(
          ({ component, type, from, to }) =>
            visible.has(component) && (type !== 'replaced' || [from, to].every(isShown)),
        );
      },
    },
    recordedBuilds: {
      years: async () => (seesRuns ? index.recordedBuilds.years() : []),
      async of(year) {
        const { visible } = await names();
        const events = Map.groupBy(await narrowed.recordedChanges.of(year), ({ at }) => at);
        const runs = await index.recordedBuilds.of(year);
        return runs.map((run) => runOf(run, visible, events.get(run.at)?.length ?? 0));
      },
    },
  };

  async function shows(subject: AccessSubject): Promise<boolean> {
    switch (subject.kind) {
      case 'any':
      case 'list':
        return true;
      case 'all':
        return false;
      case 'runs':
        return seesRuns;
      case 'advisory':
        return areVisible(componentsOf(await read(subject.path)));
      case 'file': {
        const { component, namesOthers } = subject;
        return areVisible([component, ...(namesOthers ? await namedBy(component) : [])]);
      }
      case 'question':
        return isUnderstood(subject.component);
    }
  }

  async function areVisible(components: readonly string[]): Promise<boolean> {
    const { visible } = await names();
    return components.length > 0 && components.every((name) => visible.has(name));
  }

  /** Only exact names: a guess could mean a hidden component. */
  async function isUnderstood(text: string): Promise<boolean> {
    try {
      await resolveExact(narrowed, text);
      return true;
    } catch (error) {
      if (error instanceof UnknownNameError) {
        return false;
      }
      throw error;
    }
  }

  return { ...narrowed, shows };
}

/** The part of a run that is about visible components. */
function runOf(run: Run, visible: ReadonlySet<string>, events: number): Run {
  const { answered = {}, answeredAt = {}, troubles = [], journals: _, ...others } = run;
  const ofVisible = <Value>(all: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => visible.has(name)));
  const shown = troubles.filter(({ component }) => visible.has(component));
  const sound = ofVisible(answered);
  return {
    ...others,
    components: visible.size,
    asked:
      Object.values(sound).flat().length + shown.filter(({ kind }) => kind === 'failed').length,
    answered: sound,
    answeredAt: ofVisible(answeredAt),
    troubles: shown.length > 0 ? shown : undefined,
    events,
  };
}

interface Partners {
  readonly worksWith?: WorksWith | undefined;
  readonly statedBy?: WorksWith | undefined;
}

/** Removes statements about hidden components. */
function withoutHidden<T extends Partners>(component: T, visible: ReadonlySet<string>): T {
  const { worksWith, statedBy } = component;
  const shown = (statements: WorksWith | undefined) => {
    const kept = Object.entries(statements ?? {}).filter(([name]) => visible.has(name));
    return kept.length > 0 ? Object.fromEntries(kept) : undefined;
  };
  if (worksWith === undefined && statedBy === undefined) {
    return component;
  }
  return defined({ ...component, worksWith: shown(worksWith), statedBy: shown(statedBy) }) as T;
}

/** The components of an advisory in OSV's form; empty if the file does not exist. */
function componentsOf(text: string | undefined): string[] {
  if (text === undefined) {
    return [];
  }
  const { affected } = JSON.parse(text) as {
    affected: { database_specific: { component: string } }[];
  };
  return affected.map(({ database_specific }) => database_specific.component);
}

/** Whether any text of a policy has one of the names as a word. */
function isAboutOneOf(policy: PublishedNamedPolicy, names: readonly string[]): boolean {
  const text = JSON.stringify(policy).toLowerCase();
  const words = names.map((name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, String.raw`\$&`));
  return (
    words.length > 0 && new RegExp(`(?<![a-z0-9-])(?:${words.join('|')})(?![a-z0-9-])`).test(text)
  );
}
