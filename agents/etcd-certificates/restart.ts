import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../common/durable";
import { endMember } from "../common/end-member";
import { EtcdClient } from "../common/etcd-client";
import { leadElsewhere, oneOfSeveral } from "../common/etcd-leader";
import { voterHealth, votersAmong } from "../common/etcd-members";
import { memberProcess } from "../common/etcd-process";
import { tryUntil } from "../common/etcd-try";
import { turnProblem } from "../common/etcd-turn";
import { memberCredentials } from "../common/member-credentials";
import { authorityFile } from "../common/member-files";
import { hasShell } from "../common/member-stopped";
import type { Patience } from "../common/wait";
import type { EtcdCertificatesPlan } from "./plan";
import { isBefore, processStart, waitForStartAfter } from "./process-start";
import { telling, tells } from "./static-pod";

/**
 * Has the member start anew, once all others are well, if its process is older than its authorities, and waits for the
 * new process. The kubelet starts one that ended.
 *
 * Killed at any time it goes on when it is run again: when the process started tells whether it is of before.
 */
export async function restartMember(plan: EtcdCertificatesPlan, patience: () => Patience): Promise<void> {
    const { name, staticPod, pki, annotation, data } = plan;
    const pod = JSON.parse(readFileSync(staticPod, "utf8"));
    if (!tells(pod, annotation)) {
        // The half-written file is beside it, where the kubelet skips names that begin with a dot.
        writeDurably(staticPod, `${JSON.stringify(telling(pod, annotation), null, 2)}\n`);
    }
    const since = statSync(join(pki, authorityFile)).mtimeMs;
    if (isBefore(await processStart(plan, patience()), since)) {
        await letOthersDo(plan, patience);
        const running = memberProcess(data);
        if (running !== undefined) {
            await endMember(data, running.pid);
        }
        patience().report(`${name} starts anew`);
    }
    await waitForStartAfter(plan, patience(), since);
}

/** Seconds in which no pod of the API takes another member over: the next step begins when this one serves. */
const turnSeconds = 30;

/** Each is well, since one that is away already could be one too many, and one of them leads. */
async function letOthersDo(
    { name, url, pki, staticPod }: EtcdCertificatesPlan,
    patience: () => Patience,
): Promise<void> {
    const client = new EtcdClient([url], memberCredentials(pki));
    await tryUntil(patience(), "the other members to be well", async () => {
        const members = await client.members();
        const { healthy, problems } = await voterHealth(client, members);
        const others = votersAmong(members).filter((member) => member.name !== name);
        if (!others.every(({ ID }) => healthy.has(ID))) return problems.join("; ");
        if (others.length === 0 || !hasShell(staticPod)) return undefined;
        return turnProblem(client, name, turnSeconds);
    });
    await leadElsewhere(client, oneOfSeveral(name), patience());
}
