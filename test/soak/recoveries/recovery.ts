import type { Scene } from "../../cluster/faults";

/** A loss that a cluster does not recover from on its own, and what a user does about it. */
export interface Recovery {
    /** In kebab-case, as in `--recover`. */
    readonly name: string;
    readonly about: string;
    /** Causes the loss, and recovers. Nothing else writes until it ends. */
    run(scene: Scene, say: (line: string) => void): Promise<void>;
}
