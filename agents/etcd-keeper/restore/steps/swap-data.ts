import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { syncDirectory, writeDurably } from "../../../common/durable";
import type { Run, Step } from "../run";

/** The new data are the member's; the old ones are kept. */
export const swapData: Step = {
    name: "swap-data",
    run: async ({ plan, places }: Run) => {
        const { data } = plan.directories;
        if (!existsSync(places.swapping)) {
            writeDurably(places.swapping, `${new Date().toISOString()}\n`);
        }
        if (!existsSync(places.restored)) {
            return "the data were swapped already";
        }
        if (existsSync(data)) {
            if (existsSync(places.before)) {
                throw new Error(`${data} must not be there while ${places.before} is: something wrote it meanwhile`);
            }
            renameSync(data, places.before);
            syncDirectory(dirname(data));
        }
        renameSync(places.restored, data);
        syncDirectory(dirname(data));
        rmSync(places.snapshot, { force: true });
        return existsSync(places.before) ? `the old data are in ${places.before}` : "there were no old data";
    },
};
