import type { OfficialSites } from "./download";
import type { Tool } from "./part";

/** Work that keeps both cores busy by itself, and work that mostly waits: one of each runs at a time. */
export type Lane = "go" | "other";

/** How a thing in the cache came to be. */
export type Source = "official" | "built";

/** One thing the cache can be filled with. */
export interface Item {
    /** Unique, and what progress lines say: `kube-apiserver 1.36.3`. */
    readonly id: string;
    /** What `--only` selects by. */
    readonly group: string;
    readonly lane: Lane;
    /** Ids of the items whose files this one is made from. @default [] */
    readonly needs?: readonly string[];
    /** Changes when anything it is made from changes. */
    readonly key: string;
    /** How it is made when nothing official is to be had: `building from k8s.io/kubernetes@v1.36.3`. */
    readonly how: string;
    /** Programs this takes from the machine, each with the package that has it. */
    readonly tools: readonly Tool[];
    make(workshop: Workshop): Promise<Made>;
}

/** What an item is made with. */
export interface Workshop {
    /** An empty folder on the cache's disk, gone afterwards. */
    readonly scratch: string;
    readonly sites: OfficialSites;
    /** One line to the person who waits. */
    say(line: string): void;
    /** Moves a finished file into its place in the cache, whole or not at all. */
    keep(file: string, place: string): Promise<void>;
    /** Where a file of the cache lies. */
    path(place: string): string;
    /** The socket of the registry that holds the images, started at the first call. */
    registry(): Promise<string>;
    /** The unpacked root of the Debian system, unpacked at the first call. */
    debianRoot(): Promise<string>;
}

/** What came out: where from, and which files of the cache belong to it. */
export interface Made {
    readonly source: Source;
    readonly places: readonly string[];
}
