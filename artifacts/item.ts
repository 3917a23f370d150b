import type { Source } from "../cache";
import type { Tool } from "./part";
import type { Sites } from "./sites";

/** Work that keeps both cores busy on its own, and work that mostly waits: one of each runs at a time. */
export type Lane = "go" | "other";

/** The Debian systems that images take files from: that of machines, the default, and those of some images. */
export type DebianRoot = "debian" | "conformance" | "haproxy";

/**
 * How a fill gets what is missing. Online: the projects' own releases and images, and an error if one cannot be fetched;
 * what no project releases is built in a container. Offline: builds from source, without contacting these sites.
 */
export type Way = "online" | "offline";

/** One item of the cache. */
export interface Item {
    /** Unique, and shown in progress lines: `kube-apiserver 1.36.3`. */
    readonly id: string;
    /** The group that `--only` selects it by. */
    readonly group: string;
    readonly lane: Lane;
    /** Ids of the items whose files it is built from. @default [] */
    readonly needs?: readonly string[];
    /** Changes whenever any of its inputs change. */
    readonly key: string;
    /** How it is built offline: `building from k8s.io/kubernetes@v1.36.3`. */
    readonly how: string;
    /** Programs it needs on the machine to be built there, each with its package. */
    readonly tools: readonly Tool[];
    /** Whether it can only be built by root. @default false */
    readonly needsRoot?: boolean;
    /** URLs that it is fetched from online, without any of its tools. @default [] - it is built */
    readonly official?: readonly string[];
    /** Whether it is built in a container online, which only needs Docker. @default false - on the machine */
    readonly inContainer?: boolean;
    /** Whether clusters only use it as part of other items, so that it is not needed if those are fetched. @default false */
    readonly isIntermediate?: boolean;
    make(workshop: Workshop): Promise<Built>;
}

/** Helpers for making an item. */
export interface Workshop {
    /** An empty folder on the cache's disk, removed afterwards. */
    readonly scratch: string;
    readonly way: Way;
    readonly sites: Sites;
    /** Moves a finished file atomically into its place in the cache. */
    keep(file: string, place: string): Promise<void>;
    /** Path of a file of the cache. */
    path(place: string): string;
    /** The socket of the registry that holds the images, started on the first call. */
    registry(): Promise<string>;
    /** The root of a Debian system, unpacked on the first call. */
    debianRoot(root?: DebianRoot): Promise<string>;
}

/** The result: its origin, and the files of the cache that belong to it. */
export interface Built {
    readonly source: Source;
    readonly places: readonly string[];
}
