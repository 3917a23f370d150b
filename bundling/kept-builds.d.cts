/** JavaScript that was made of several files. */
export interface Build {
    readonly text: string;
    /** Its source map. @default none */
    readonly map?: string;
    /** Full paths of all files that decide its bytes: how it is built is among them. */
    readonly inputs: readonly string[];
}

/** A build without what only its making needs. */
export interface KeptBuild {
    readonly text: string;
    readonly map: () => string | undefined;
}

/** The build of that name which was kept, if it is whole and all that it was made of is as it was; else it is made anew. */
export function keptOrBuilt(name: string, build: () => Build): KeptBuild;

/** The build of that name which was kept, if it is whole and all that it was made of is as it was. */
export function kept(name: string): KeptBuild | undefined;

/** Keeps a build for later runs, if it can be written. */
export function keep(name: string, build: Build): KeptBuild;
