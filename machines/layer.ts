import type { TarEntry } from "./tar";

/** What an image adds to the one below. */
export interface Layer {
    /** Debian's packages. */
    readonly packages: readonly string[];
    readonly files: readonly TarEntry[];
    /** Units to enable. */
    readonly units: readonly string[];
    /** Shell commands that run last. @default - none */
    readonly commands?: readonly string[];
}
