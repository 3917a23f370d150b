import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { authorityFile } from "../common/member-files";
import type { Patience } from "../common/wait";
import type { EtcdCertificatesPlan } from "./plan";
import { isBefore, processStart } from "./process-start";
import { tells } from "./static-pod";

/** Whether the member runs with other authorities than those of its files, or its pod says so. */
export async function isStale(plan: EtcdCertificatesPlan, patience: Patience): Promise<boolean> {
    if (!tells(JSON.parse(readFileSync(plan.staticPod, "utf8")), plan.annotation)) {
        return true;
    }
    return isBefore(await processStart(plan, patience), statSync(join(plan.pki, authorityFile)).mtimeMs);
}
