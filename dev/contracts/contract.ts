import type { CloudImages } from "../../versions/cloud-images";

/** A public file that facts were read from. */
export interface Source {
    readonly repository: string;
    readonly file: string;
    /** Tag, module version or commit that was read. The pinned version itself, where that was available. */
    readonly at: string;
}

/** `<group>/<resource>`, without a group for the core one, and verbs. */
export type Rules = Readonly<Record<string, readonly string[]>>;

/** A program of a cloud or of Kubernetes' storage group, according to its own source. */
export interface Contract {
    readonly image: keyof CloudImages;
    /** Pinned version: another one has to be read again. */
    readonly version: string;
    readonly sources: readonly Source[];
    /** Flags that the program has: those that are passed or matter here. */
    readonly flags: readonly string[];
    /** Flags in its own manifest that differ from the program's defaults. */
    readonly usualFlags?: Readonly<Record<string, string>>;
    /** Environment variables without which it does not start, or does not work in a cluster. @default none */
    readonly requiredEnv?: readonly string[];
    /** Others that it reads. @default none */
    readonly optionalEnv?: readonly string[];
    /** Values of flags and variables that it must get. @default none */
    readonly always?: Readonly<Record<string, string>>;
    /** Flags and variables that it must not get, with the reason. @default none */
    readonly never?: Readonly<Record<string, string>>;
    /** What its own manifest allows in Kubernetes' API. @default none */
    readonly rules?: Rules;
    /** IAM actions in its own documentation, and those of its source that the documentation lacks. @default none */
    readonly actions?: readonly string[];
    /** Token scopes of its calls to DigitalOcean's API. @default none */
    readonly scopes?: readonly string[];
    /** SHA-256 of its definitions, as `definitionsHash` takes it. @default it has none */
    readonly definitions?: string;
    /** Defaults of the program that the cluster relies on, by flag or variable. */
    readonly defaults?: Readonly<Record<string, string>>;
    /** Flags, rules (`resource` or `resource: verb`) and actions of its own that the cluster leaves out, with the reason. */
    readonly leftOut?: Readonly<Record<string, string>>;
    /** Rules and actions that the cluster adds to its own, with the reason. */
    readonly added?: Readonly<Record<string, string>>;
}
