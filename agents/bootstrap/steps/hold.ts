import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../../common/durable";
import { waitFor } from "../../common/wait";
import { heldFile, releasedFile } from "../plan";
import type { Step } from "../run";

/** Keeps the temporary control plane while someone mends the cluster's own, until they say so. */
export const hold: Step = {
    name: "hold",
    run: async (run) => {
        const { directories, recovery } = run.plan;
        if (!recovery?.isHeld) {
            return "not asked for";
        }
        const released = join(directories.state, releasedFile);
        if (existsSync(released)) {
            return "released before";
        }
        writeDurably(join(directories.state, heldFile), "", { mode: 0o644 });
        // Hours of reports would bury what came before.
        await waitFor({ ...run, report: () => {} }, "someone to release it", async () =>
            existsSync(released) ? undefined : `there is no ${released}`,
        );
        return "released";
    },
};
