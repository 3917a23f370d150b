/** A program that must be installed, or a file by its full path, and Debian's package for it. */
export interface Tool {
    readonly command: string;
    readonly package: string;
}

/** A program in the lock: its version, its licence, and each way to come by it. */
export interface Part {
    /** Folder name in the cache: `bin/<name>/<version>/`. */
    readonly name: string;
    readonly version: string;
    /** SPDX identifier. */
    readonly licence: string;
    readonly homepage: string;
    readonly go: GoBuild;
    /** @default - its project publishes no binary with a checksum: it is always built */
    readonly official?: OfficialRelease;
    /** Binaries that nodes fetch: name to path in the file mirror. @default - none */
    readonly served?: Readonly<Record<string, string>>;
    /** All binaries in one archive that nodes fetch: its path in the file mirror. @default - none */
    readonly servedArchive?: string;
}

/** A build from a pinned Go module; the checksums are those of `go/<folder>/go.sum`. */
export interface GoBuild {
    /** Folder under `artifacts/go/` that holds go.mod and go.sum. */
    readonly folder: string;
    /** `path@version` of the main module, for people to read. */
    readonly module: string;
    /** Binary name to Go package. */
    readonly binaries: Readonly<Record<string, string>>;
    /** Files in the folder that are ours, and built with it. @default [] */
    readonly sources?: readonly string[];
    /** Build tags. @default [] */
    readonly tags?: readonly string[];
    /** A module that is had in no version with what the build wants of it. @default none */
    readonly renamed?: RenamedModule;
    /** Linker flags besides `-s -w`. @default [] */
    readonly ldflags?: readonly string[];
    /** @default - pure Go */
    readonly cgo?: "static" | "dynamic";
    /** What else the build takes from the machine. @default [] */
    readonly tools?: readonly Tool[];
}

/** A module that is made of an earlier version, in which a version of an API has another name and is otherwise the same. */
export interface RenamedModule {
    /** `path@version`; its checksum is in go.sum, and go.mod replaces it by the folder. */
    readonly module: string;
    /** Beside go.mod. */
    readonly folder: string;
    /** The API's version there, such as `v1beta1`. */
    readonly from: string;
    readonly to: string;
    /** What it has besides: our sources, to their places in it. */
    readonly added: Readonly<Record<string, string>>;
}

/**
 * What the project itself publishes. `{arch}` is amd64 or arm64, `{x64}` is x64 or arm64, `{binary}` the program's name.
 * A download is used only when its SHA-256 is the pinned one or, where none is pinned, the one the project publishes.
 */
export interface OfficialRelease {
    readonly kind: "binaries" | "archive";
    readonly url: string;
    /** Where the project publishes the SHA-256: alone, or in a list with file names. */
    readonly checksum: string;
    /** Folder of the programs inside the archive. @default - its top */
    readonly folder?: string;
    /** Programs that come along in the archive and are worth keeping. */
    readonly extra?: readonly string[];
    /** Known SHA-256 by architecture. @default - only the published one is checked */
    readonly sha256?: Readonly<Record<string, string>>;
}
