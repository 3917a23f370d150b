import type { Scene } from "../../cluster/faults";

/** A loss that a cluster does not come back from by itself, and what a user does about it. */
export interface Recovery {
    /** In kebab-case, as `--recover` takes it. */
    readonly name: string;
    readonly about: string;
    /** Loses, and recovers. Until it ends nobody else writes. */
    run(scene: Scene, say: (line: string) => void): Promise<void>;
}
