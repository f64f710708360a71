import type { Choice } from '../core/compatible-set.ts';
import type { ComponentVersion } from '../core/works-with.ts';
import type { Component } from './component.ts';

/** A component with compatibility statements by or about it; only the parts that tables and presets need. */
export interface Partner extends Choice {
  readonly renamedFrom: readonly string[];
  /** Oldest first, with the releases to offer. */
  readonly lines: readonly PartnerLine[];
}

export interface PartnerLine {
  readonly name: string;
  readonly isOpen: boolean;
  readonly releases: readonly { readonly version: string }[];
}

export type Partners = ReadonlyMap<string, Partner>;

export function partnerOf({ name, definition, judgement, statedBy }: Component): Partner {
  const lines = judgement.lines.map((line) => ({
    name: line.name,
    isOpen: line.isSupported !== false,
    releases: line.releases.filter(
      ({ isPrerelease, state }) => !isPrerelease && state !== 'withdrawn',
    ),
  }));
  const usable = judgement.releases.filter(
    ({ isPrerelease, isDeprecated, isSupported, advisories }) =>
      !isPrerelease && !isDeprecated && isSupported !== false && advisories.length === 0,
  );
  return {
    component: name,
    title: definition.title,
    usable: usable.map(({ version }) => version),
    renamedFrom: definition.renamedFrom ?? [],
    worksWith: definition.worksWith,
    statedBy,
    lines: lines.filter(({ releases }) => releases.length > 0),
  };
}

/** The latest version represents its line. */
export function versionOfLine({ component }: Partner, { releases }: PartnerLine): ComponentVersion {
  return { component, version: releases.at(-1)!.version };
}
