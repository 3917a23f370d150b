/** JavaScript built from several files. */
export interface Build {
    readonly text: string;
    /** Its source map. @default none */
    readonly map?: string;
    /** Full paths of all files that determine the result, including those of the build itself. */
    readonly inputs: readonly string[];
}

/** A build as stored. */
export interface KeptBuild {
    readonly text: string;
    readonly map: () => string | undefined;
}

/** The stored build with this name if it is complete and its inputs are unchanged, otherwise a new build. */
export function keptOrBuilt(name: string, build: () => Build): KeptBuild;

/** The stored build with this name, if it is complete and its inputs are unchanged. */
export function kept(name: string): KeptBuild | undefined;

/** Stores a build for later runs, if possible. */
export function keep(name: string, build: Build): KeptBuild;
