import type { Member } from "../../common/etcd-client";
import { tryUntil } from "../../common/etcd-try";
import { installCertificates, installStaticPod } from "../disk";
import { look } from "../look";
import type { EtcdJoinPlan } from "../plan";
import type { Step } from "../run";

/** The member's certificates and static pod are on this machine's disk. */
export const installMember: Step = {
    name: "install-member",
    run: async (run) => {
        const installed: string[] = [];
        await tryUntil(run, "the members to start with", async () => {
            const { members } = await look(run);
            installed.push(...installCertificates(run.plan, run.source));
            if (installStaticPod(run.plan, initialCluster(run.plan, members))) {
                installed.push("static pod");
            }
            return undefined;
        });
        return installed.length === 0 ? "all is in place" : `wrote ${installed.join(", ")}`;
    },
};

/** etcd compares the URLs with those of its peers, and reads a name only to find itself. */
export function initialCluster({ name, peerUrl }: Pick<EtcdJoinPlan, "name" | "peerUrl">, members: readonly Member[]) {
    return members
        .flatMap(({ ID, name: other, peerURLs = [] }) =>
            peerURLs.map((url) => `${url === peerUrl ? name : other || ID}=${url}`),
        )
        .join(",");
}
