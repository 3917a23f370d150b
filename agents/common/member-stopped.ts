import { existsSync, readFileSync } from "node:fs";
import { isStanding } from "./member-runner";
import { isRefused } from "./probe";
import { type Patience, waitFor } from "./wait";

/** A shell that is about to start etcd, or looks again whether it is wanted, has done so by then: milliseconds. */
const steadyMilliseconds = 3_000;

/** Waits until nothing listens any more of a member whose static pod is gone. @param mayStart - whether a shell starts it: see `hasShell` */
export async function waitUntilStopped(
    patience: Patience,
    what: string,
    urls: readonly string[],
    mayStart: boolean,
): Promise<void> {
    for (const url of urls) {
        const { hostname, port } = new URL(url);
        let since: number | undefined;
        await waitFor(patience, what, async () => {
            if (!(await isRefused(hostname, Number(port)))) {
                since = undefined;
                return `${hostname}:${port} still accepts connections`;
            }
            since ??= performance.now();
            return mayStart && performance.now() - since < steadyMilliseconds ? "it ended a moment ago" : undefined;
        });
    }
}

/** Whether a static pod starts its member by a shell, as a pod of the API does then. */
export function hasShell(staticPod: string): boolean {
    if (!existsSync(staticPod)) return false;
    return isStanding(JSON.parse(readFileSync(staticPod, "utf8")).spec?.containers?.[0]?.command ?? []);
}
