import { appendFileSync } from "node:fs";
import { join, relative } from "node:path";

/**
 * Makes simulated clouds record what they do to the calling test, in a file for `npm test`: which tests ran under which
 * hostile behaviours (docs/hostile-clouds.md). Programs that it starts inherit that.
 */
export function recordWhatIsMet(): void {
    const { TRADEWIND_MET_FOLDER: folder } = process.env;
    const [, file] = /(?:file:\/\/|\(|at )(\/[^():]*\.test\.ts)\b/.exec(new Error().stack ?? "") ?? [];
    if (folder === undefined || file === undefined) return;
    const test = relative(__dirname, file).replace(/\.test\.ts$/, "");
    process.env.TRADEWIND_MET = join(folder, test.replaceAll("/", "__"));
    // A test that meets nothing ran, too.
    appendFileSync(process.env.TRADEWIND_MET, "");
}
