import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../common/durable";
import { EtcdClient } from "../common/etcd-client";
import { voterHealth, votersAmong } from "../common/etcd-members";
import { tryUntil } from "../common/etcd-try";
import type { Patience } from "../common/wait";
import { authorityFile, certificateFile, type EtcdCertificatesPlan, keyFile } from "./plan";
import { waitForAge, waitForStartAfter } from "./process-start";
import { startedFor } from "./static-pod";

/**
 * Has the kubelet start the member anew, once all others are well, and waits for the new process.
 *
 * Killed at any time it goes on when it is run again: the static pod tells whether it was written, and its time whether
 * the process is of before.
 */
export async function restartMember(plan: EtcdCertificatesPlan, patience: () => Patience): Promise<void> {
    const { name, staticPod, pki, annotation } = plan;
    const before = readFileSync(staticPod, "utf8");
    const since = statSync(join(pki, authorityFile)).mtimeMs;
    const after = `${JSON.stringify(startedFor(JSON.parse(before), annotation, since), null, 2)}\n`;
    if (after !== before) {
        await othersToBeWell(plan, patience());
        await waitForAge(plan, patience());
        // The half-written file is beside it, where the kubelet skips names that begin with a dot.
        writeDurably(staticPod, after);
        patience().report(`${name} starts anew`);
    }
    await waitForStartAfter(plan, patience(), statSync(staticPod).mtimeMs);
}

/** Each of them: a member that starts anew is away for a moment, and with one that is away already it could be one too many. */
async function othersToBeWell({ name, url, pki }: EtcdCertificatesPlan, patience: Patience): Promise<void> {
    const read = (file: string) => readFileSync(join(pki, file), "utf8");
    const client = new EtcdClient([url], () => ({
        ca: read(authorityFile),
        cert: read(certificateFile),
        key: read(keyFile),
    }));
    await tryUntil(patience, "the other members to be well", async () => {
        const members = await client.members();
        const { healthy, problems } = await voterHealth(client, members);
        const others = votersAmong(members).filter((member) => member.name !== name);
        return others.every(({ ID }) => healthy.has(ID)) ? undefined : problems.join("; ");
    });
}
