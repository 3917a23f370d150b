import type { ApiClient } from "../../agents/common/api-client";
import type { UpgradeProblem } from "../cluster/upgrade-checks";
import { downloadProblems, isTold, type PoolDownloads } from "./download-problems";
import { nodeFiles, toldDownloads } from "./running-downloads";

/** Which checksums nodes would refuse, or not look at. What was told before goes on, whatever state that left nodes in. */
export async function checksumProblems(api: ApiClient, wanted: readonly PoolDownloads[]): Promise<UpgradeProblem[]> {
    if (wanted.length === 0) return [];
    const told = await toldDownloads(api);
    if (wanted.every((each) => isTold(each, told[each.pool]))) return [];
    const messages = downloadProblems(wanted, await nodeFiles(api));
    return messages.map((message) => ({ check: "checksums", message }));
}
