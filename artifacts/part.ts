/** A program that must be installed, or a file by its full path, and its Debian package. */
export interface Tool {
    readonly command: string;
    readonly package: string;
}

/** A program in the lock: its version, its licence, and each way to obtain it. */
export interface Part {
    /** Folder name in the cache: `bin/<name>/<version>/`. */
    readonly name: string;
    readonly version: string;
    /** SPDX identifier. */
    readonly licence: string;
    readonly homepage: string;
    readonly go: GoBuild;
    /** @default - its project publishes no binary with a checksum, so it is always built */
    readonly official?: OfficialRelease;
    /** Binaries that nodes fetch: name to path in the file mirror. @default - none */
    readonly served?: Readonly<Record<string, string>>;
    /** Whether this machine runs it itself, as the Pulumi CLI. @default false */
    readonly usedHere?: boolean;
    /** All binaries in one archive that nodes fetch: its path in the file mirror. @default - none */
    readonly servedArchive?: string;
}

/** A build from a pinned Go module; the checksums are those of `go/<folder>/go.sum`. */
export interface GoBuild {
    /** Folder under `artifacts/go/` that holds go.mod and go.sum. */
    readonly folder: string;
    /** `path@version` of the main module, for readers. */
    readonly module: string;
    /** Binary name to Go package. */
    readonly binaries: Readonly<Record<string, string>>;
    /** Names of the binaries that are compiled tests. @default [] */
    readonly tests?: readonly string[];
    /** Our own files in the folder, which are part of the build. @default [] */
    readonly sources?: readonly string[];
    /** Build tags. @default [] */
    readonly tags?: readonly string[];
    /** A dependency of which no available version has what the build needs. @default none */
    readonly renamed?: RenamedModule;
    /** Linker flags in addition to `-s -w`. @default [] */
    readonly ldflags?: readonly string[];
    /** @default - pure Go */
    readonly cgo?: "static" | "dynamic";
    /** Other requirements of the build on the machine. @default [] */
    readonly tools?: readonly Tool[];
}

/**
 * A module created from an earlier version, in which a version of an API has another name but is otherwise the same.
 */
export interface RenamedModule {
    /** `path@version`; its checksum is in go.sum, and go.mod replaces it with the folder. */
    readonly module: string;
    /** Folder name, next to go.mod. */
    readonly folder: string;
    /** The API's version in that module, such as `v1beta1`. */
    readonly from: string;
    readonly to: string;
    /** Files to add: our sources, by their paths in the module. */
    readonly added: Readonly<Record<string, string>>;
}

/**
 * What the project itself publishes. `{arch}` is amd64 or arm64, `{x64}` is x64 or arm64, `{binary}` the program's
 * name. A download is used only if its SHA-256 is the pinned one or, if none is pinned, the one the project publishes.
 */
export interface OfficialRelease {
    readonly kind: "binaries" | "archive";
    readonly url: string;
    /** URL of the published SHA-256: a bare digest, or a list with file names. */
    readonly checksum: string;
    /** Folder of the programs inside the archive. @default - its root */
    readonly folder?: string;
    /** Other programs in the archive to keep. */
    readonly extra?: readonly string[];
    /** Known SHA-256 by architecture. @default - only the published one is checked */
    readonly sha256?: Readonly<Record<string, string>>;
}
