import type { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import type { Component } from '../../decide/component.ts';

/** Real values of the index for examples of requests. */
export interface EndpointSample {
  readonly component: string;
  readonly version?: string | undefined;
  /** Id of a change. */
  readonly change?: string | undefined;
  /** Id of a run of the index. */
  readonly build?: string | undefined;
}

export function endpointSample(
  { name, judgement }: Component,
  newest: PublishedChange | undefined,
  build: string | undefined,
): EndpointSample {
  const { version } = judgement.latest ?? judgement.releases.at(-1) ?? {};
  return { component: name, version, change: newest?.id, build };
}

/** The text with real values for `{component}`, `{version}`, `{change}` and `{build}`; undefined if one of them or the text is missing. */
export function withSample(
  text: string | undefined,
  sample: EndpointSample | undefined,
  write: (thing: string) => string = (thing) => thing,
): string | undefined {
  if (text === undefined) return undefined;
  let isWhole = true;
  const written = text.replaceAll(
    /\{(component|version|change|build)\}/g,
    (_, name: keyof EndpointSample) => {
      const thing = sample?.[name];
      if (thing === undefined) isWhole = false;
      return write(thing ?? '');
    },
  );
  return isWhole ? written : undefined;
}
