/** Declares types for `@pnpm/npm-conf`, because the package contains no types. */
declare module '@pnpm/npm-conf' {
  export default function npmConf(): {
    config: {
      snapshot: Record<string, string> & { registry: string };
      /** npm's default values. */
      root: Record<string, unknown>;
    };
    warnings: string[];
  };
}
