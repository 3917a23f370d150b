import { lastLinesScript } from "../agents/common/last-lines";
import { docker } from "./docker";

/** What a machine that does not get on has to tell, for the error of an `up`. */
export async function lastLines(container: string): Promise<string> {
    return docker(["exec", container, "sh", "-c", lastLinesScript], { timeout: 30_000 }).catch(
        (error: Error) => `no journal: ${error.message}`,
    );
}
